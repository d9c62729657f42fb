<?php
namespace One {
    class A {}
}

namespace Two\Deep {
    class B extends \One\A {}
}

namespace {
    function top() {}
}
