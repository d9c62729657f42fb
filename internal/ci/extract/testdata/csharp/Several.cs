namespace One
{
    public class A { }

    namespace Inner
    {
        class B : A { }
    }
}

namespace Two.Deep
{
    class C : One.A { void M() { Top(); } }
}
