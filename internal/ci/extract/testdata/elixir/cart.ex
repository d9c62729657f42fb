# Copyright of nobody.

defmodule Shop.Cart do
  @moduledoc """
  Carts and what is in them. More words.

      iex> Shop.Cart.new()
  """

  use GenServer, restart: :temporary
  use Shop.Web
  alias Shop.{Item, Money}
  alias Shop.Ledger.Book, as: Ledger
  import Shop.Helpers, only: [help: 1]
  require Logger
  @behaviour Shop.Countable

  @typedoc "A cart."
  @type t :: %__MODULE__{items: list}
  @typep secret :: atom
  @opaque handle :: reference
  @limit 3
  @doc_url "https://example.org"

  defstruct items: [], total: 0
  @callback count(t) :: integer
  @macrocallback expand(term) :: Macro.t()

  defmodule Error do
    defexception [:message, code: 1]
  end

  @doc """
  Opens a cart.

  With a path.
  """
  @spec open(Path.t(), keyword) :: {:ok, t} | {:error, term}
  def open(path, opts \\ [])
  def open("", _opts), do: {:error, :empty}

  def open(path, opts) when is_binary(path) do
    item = Item.new(path)
    item |> Item.weigh() |> fill(opts)
    help(path)
    Ledger.write(item)
    :ets.new(:x, [])
    secret_one(@limit)
    Shop.Deep.Down.here(1)
    callback = &helper/1
    Enum.map(opts, fn o -> o.go(unknown(o)) end)
    callback.(1)
    &Item.parse(&1)
    ~s(def not_a_function, do: 1)
  end

  @doc false
  def hidden(x), do: x

  defp fill(item, opts), do: {item, opts}
  defp secret_one(x) do
    __MODULE__.open(x)
    x
  end

  @doc "Expands it."
  defmacro expand(expr) do
    quote do
      helper(unquote(expr))
    end
  end

  defmacrop private_macro(x), do: x
  defguard is_small(x) when x < @limit
  defguardp is_tiny(x) when x < 1
  defdelegate size(cart), to: Enum, as: :count
  defdelegate [first(x), last(x)], to: List

  def a + b, do: {a, b}
  def unquote(:made)(), do: 1
  def ready?, do: true
  def stop!() do
    :ok
  end

  @impl true
  def init(state), do: {:ok, state}
  defoverridable init: 1
end

defprotocol Shop.Size do
  @moduledoc "Tells how big things are."
  @fallback_to_any true
  @doc "The size."
  def size(data)
end

defimpl Shop.Size, for: Shop.Cart do
  def size(cart), do: length(cart.items)
end

defimpl Shop.Size, for: [Map, List] do
  def size(x), do: count(x)
  defp count(x), do: map_size(x)
end

defmodule Shop.Cart.Record do
  require Record
  Record.defrecord(:point, x: 0, y: 0)
  defmodule Inner.Deep, do: def(go, do: 1)
end
