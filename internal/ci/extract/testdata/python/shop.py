#!/usr/bin/env python3
"""A shop that sells things.

It has a cart.
"""
from __future__ import annotations

import os.path
import numpy as np, sys
from dataclasses import dataclass, field
from enum import Enum
from typing import Optional, Protocol, TypeVar, overload

from . import prices
from ..base.core import (Base, helper as aid)
from .plugins import *

try:
    import ujson as json
except ImportError:
    json = None

__all__ = ["Cart", "total", "LIMIT", "Colour"]

T = TypeVar("T")
#: How many items fit.
LIMIT: int = 3
_cache = {}
low, high = 1, 2
double = lambda x: x * 2
Pair = tuple[int, "Cart"]


class Colour(Enum):
    RED = 1
    BLUE = auto()

    def shade(self):
        return aid(self)


class Priced(Protocol):
    def price(self) -> int: ...


@dataclass(frozen=True)
class Item(Base[int], prices.Tagged, metaclass=Meta):
    """One thing. It has a price."""

    name: str
    tags: list[str] = field(default_factory=list)
    owner: Optional[Cart] = None

    class Meta:
        ordering = ["name"]

    def __post_init__(self) -> None:
        self.key = make_key(self.name)
        self.maker: Maker = Maker()

    @property
    def size(self) -> int:
        """The size."""
        return self.owner.count()

    @size.setter
    def size(self, value):
        self._size = value

    @staticmethod
    def parse(text: str) -> "Item":
        return Item(text)

    @classmethod
    def empty(cls):
        return cls("")

    @overload
    def find(self, key: int) -> Item: ...
    @overload
    def find(self, key: str) -> Item: ...
    def find(self, key):
        """Finds it."""
        return self.maker.search(key)


class Cart:
    # Holds items until they are paid.
    def __init__(self, store: Store, *rest, limit=LIMIT, **more):
        super().__init__()
        self.store = store
        self.items = []

    async def add(self, item: Item | None = None) -> Item:
        found = Item.parse("x")
        found.find(1)
        async with self.store.session() as session:
            await session.commit()
        return item


class Special(Cart):
    def add(self, item):
        return super().add(item)


def total(cart: Cart, rate: "prices.Rate" = prices.DEFAULT) -> int:
    # The sum of all items.
    def one(item: Item):
        return item.size * rate.value

    worker = Worker(cart)
    worker.run(callback=one)
    result = compute(cart)
    result.finish()
    np.linalg.norm([one(i) for i in cart.items])
    if (n := len(cart.items)) > high:
        raise TooMany(f"{worker.name} {n}")
    global low
    low = 3
    return sum(map(double, cart.items))


@app.route("/")
def _index():
    return total(None)


def main():
    total(Cart(None))


def test_total():
    assert total(Cart(None)) == 0


if __name__ == "__main__":
    args = parse_args()
    main()
