@file:JvmName("Carts")

package com.shop.cart

import com.shop.price.Price
import com.shop.price.*
import com.shop.log.Log as Logger

/**
 * A line of a cart. It has a price.
 *
 * @param name what is bought
 */
data class Line(
  val name: String,
  internal var count: Int = 1,
  private val price: Price,
  note: String?
) : Base(note), Priced by price {

  constructor(name: String) : this(name, 1, Price.free(), null)

  companion object {
    const val MAX = 3
    @JvmStatic fun of(name: String): Line = Line(name)
  }

  init {
    require(count > 0)
  }

  /** What all of them cost. */
  val total: Price
    get() = price.times(count)

  var open = true
    private set

  lateinit var log: Logger
  val sum by lazy { compute(total) }

  inner class Part

  private fun compute(p: Price) = p

  operator fun plus(other: Line): Line {
    log.info("x")
    this.compute(price).round()
    super.note()
    other.price.round()
    val copy = Line.of(name)
    copy.log?.info("y")
    unknown().price.round()
    listOf(other).forEach { it.compute(price) }
    fun local(n: Int) = n
    local(2)
    return copy(count = 2)
  }
}

sealed class Shape {
  object Circle : Shape()
  data class Square(val side: Int) : Shape()
  data object Empty : Shape()
}

enum class Colour(val rgb: Int) : Named {
  /** As blood. */
  RED(1) {
    override fun label() = "red"
  },
  BLUE(2);

  override fun label(): String = name.lowercase()
}

interface Priced<T> : Named where T : Any {
  fun price(): Price
  val free: Boolean
}

fun interface Handler {
  fun handle(line: Line)
}

object Registry : Base("registry") {
  private val lines = mutableListOf<Line>()
  fun add(line: Line) = lines.add(line)
}

class Holder private constructor(val line: Line) {
  companion object Factory {
    fun make() = Holder(Line("x"))
  }
}

annotation class Marked(val why: String)

@JvmInline
value class Id(val text: String)

fun String.shout(times: Int = 1): String = uppercase().repeat(times)

fun <T : Priced<T>> List<T>.second(): T? = this.getOrNull(1)

fun Line?.orEmpty(): Line = this ?: Line.of("")

val Line.label: String get() = name.shout()

typealias Visitor = (Line) -> Unit

const val LIMIT = 10
private var seen: Int = 0
val (first, rest) = split()

inline fun <reified T> visit(line: Line, block: (T) -> Unit) where T : Any {
  val handler: Handler = find(line)
  handler.handle(line)
  line.orEmpty()
  block(line as T)
  when (val found = Registry.add(line)) {
    true -> line.plus(line)
    else -> Registry
  }
  for (part: Line in listOf(line)) part.plus(line)
  val watcher = object : Handler {
    override fun handle(line: Line) = visit(line) {}
  }
}

expect class Platform

suspend fun main(args: Array<String>) {
  visit(Line(args[0])) {}
}

class CartTest {
  @Test
  fun `adds up`() {
    assertEquals(2, Line("x").count)
  }
}
