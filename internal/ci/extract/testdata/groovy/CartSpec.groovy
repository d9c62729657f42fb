package shop.cart

import spock.lang.Specification

class CartSpec extends Specification {
  def cart = new Cart("x")

  def setup() { cart.fill("x") }

  def "adds #count items"() {
    given:
    def store = Mock(Store)
    when:
    cart.fill("y")
    then:
    1 * store.put(_)
    check(count)
    where:
    count << [1, 2]
  }

  void 'is empty'() { expect: cart.size() == 0 }
  private check(n) { n }
}

class OldTest extends GroovyTestCase {
  void testTotal() { assertEquals(1, 1) }
  @Test void newer() {}
}
