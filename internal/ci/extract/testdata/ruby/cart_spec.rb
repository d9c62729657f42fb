require "spec_helper"

RSpec.describe Shop::Cart do
  let(:cart) { described_class.new }

  def shelf; cart.items; end

  context "when empty" do
    it "adds an item" do
      expect(shelf.add(1)).to eq 1
    end
    specify { expect(cart).to be_empty }
    it 'takes "quotes"' do
      fill_cart
    end
  end
end

class CartTest < Minitest::Test
  def setup; @cart = Shop::Cart.new; end

  def test_total
    assert_equal 1, @cart.total
  end

  test "by its words" do
    helper_of_test
  end
  def helper_of_test; end
end
