defmodule Shop.CartTest do
  use ExUnit.Case, async: true
  doctest Shop.Cart
  alias Shop.Cart

  setup do
    {:ok, cart: Cart.open("x")}
  end

  describe "open/2" do
    test "opens", %{cart: cart} do
      assert Cart.open(cart) == helper(1)
    end

    test "to be written"
    property "holds" do
      check all(x <- integer(), do: x)
    end
  end

  defp helper(x), do: x
end
