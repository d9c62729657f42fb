// Carts and their lines.

using System;
using System.Collections.Generic;
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;

namespace Shop.Cart
{
    /// <summary>
    /// A line of a <see cref="Cart"/>. It has a price.
    /// </summary>
    /// <typeparam name="T">what is bought</typeparam>
    [Serializable]
    public partial class Line<T> : Entity, IPriced<T>, Naming.INamed where T : class
    {
        private readonly Store _store = new Store(), _other;
        public const int Max = 3;
        public static readonly Line<T> Empty = Make(null);

        /// <summary>What it is called.</summary>
        public string Name { get; set; } = "x";
        public Price Total => Compute(Max);
        public Line<T> this[int i] { get { return Find(i); } }
        public event EventHandler Changed;
        public event EventHandler Closed { add { Watch(value); } remove { } }

        public Line(string name) : base(name) { Check(name); }
        static Line() { }
        ~Line() { _store.Close(); }

        public async Task<Price> PayAsync<U>(int count, Store store, U item, params object[] rest)
        {
            store.Open();
            this.Compute(count);
            base.Check(Name);
            Json.SerializeObject(store);
            var made = new Store();
            made.Open();
            Store declared = Find(1).Store;
            declared.Close();
            _store.Open();
            Changed?.Invoke(this, EventArgs.Empty);
            foreach (Store s in store.All()) s.Close();
            if (item is Store found) found.Close();
            int Local(int n) => Abs(n);
            rest.Select(r => Local(1));
            Line<T>.Make(null).Compute(1);
            return await OtherAsync<Price>(Local(2));
        }

        public static Line<T> operator +(Line<T> a, Line<T> b) => a;
        public static implicit operator string(Line<T> line) => line.Name;
        void INamed.Rename(string to) { Name = to; }
        protected virtual Price Compute(int n) => null;
        internal static Line<T> Make(T item) => new(item);

        private enum Mode : byte { On = 1, /* the rest */ Off }
        internal struct Point { public int X, Y; }
        public delegate void Handler(Line<T> line);

        public interface IPart
        {
            int Size { get; }
            void Fit(int size);
        }

        private class Nested
        {
            private class Deeper { }
        }
    }

    public record Person(string First, Age Age) : Entity(First)
    {
        public int Years { get; init; }
    }

    public readonly record struct Size(int Width);

    public static class Extensions
    {
        public static int Length(this Person person, int more) => person.Years + more;
    }

    [Flags]
    public enum Colour
    {
        /// <summary>As blood.</summary>
        Red = 1,
        Blue
    }

    public delegate void Visitor(object sender);

#if DEBUG
    internal class Debugging { }
#endif
}
