import XCTest
import Testing
@testable import Shop

final class CartTests: XCTestCase {
  var cart: Cart!
  override func setUp() { cart = Cart() }
  func testTotal() throws {
    XCTAssertEqual(cart.total, 1)
    check()
  }
  func testsNothingBut(x: Int) {}
  private func check() {}
}

@Suite struct OtherTests {
  @Test("by its words") func adds() { #expect(helper() == 1) }
}
