package three

import scala.util.*

/** Planets. */
enum Planet(mass: Double) extends java.lang.Enum[Planet]:
  /** Ours. */
  case Earth extends Planet(1)
  case Mars, Venus
  case Custom(x: Int)
  def weight = mass

opaque type Id = Long

/** Orders items. */
given ordering: Ordering[Item] with
  def compare(a: Item, b: Item) = 0

given Show[Planet] = Show.fromToString
given number: Monoid[Int] = sum

extension (s: Planet)
  /** Shouts. */
  def shout: String = s.toString.toUpperCase
  def twice = s.weight + s.weight

extension [T](xs: List[T]) def second = xs.tail.head

@main def run(args: String*): Unit =
  val item = Item(1)
  item.print()
  if args.isEmpty then help() else start(args)

def topLevel(using c: Context): Int = c.depth
val topValue = 1

class Indented(val a: Int):
  def one =
    two(a)
  private def two(x: Int) = x
end Indented

trait Speaker:
  def speak(): Unit
