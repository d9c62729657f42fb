local cart = require "shop.cart"

describe("a cart", function()
  before_each(function() reset() end)
  it("adds items", function()
    assert.equal(1, cart.add(1))
  end)
end)

TestCart = {}
function TestCart:test_total()
  lu.assertEquals(cart.total(), 1)
end
function TestCart:helper() end
