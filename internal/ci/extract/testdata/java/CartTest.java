package shop.cart;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class CartTest {
  private final Cart cart = Carts.small();

  @Test
  @DisplayName("adds \"one\"")
  void adds() {
    cart.add(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, Cart.LIMIT})
  void addsMany(int n) {
    Object o = new Cart.Point(n, null);
    if (o instanceof Cart.Point(int x, Entry entry)) {
      entry.close();
    }
  }

  void helper() {}

  static class OldTest extends TestCase {
    public void testOld() {}

    void testNot() {}
  }
}
