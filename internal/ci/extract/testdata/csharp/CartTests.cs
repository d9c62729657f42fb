namespace Shop.Cart.Tests;

using Xunit;

public class CartTests(Store store) : IDisposable
{
    [Fact]
    public void AddsUp() { store.Open(); Assert.Equal(1, 2); }

    [Theory, InlineData(1)]
    public void Holds(int n) { }

    public void Dispose() => store.Close();
}

internal static class Program
{
    private static void Main(string[] args) { new CartTests(null).AddsUp(); }
}
