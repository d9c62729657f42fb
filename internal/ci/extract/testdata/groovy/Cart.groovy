/*
 * Copyright of nobody.
 */
package shop.cart

import static shop.util.Checks.notNull
import shop.util.*
import shop.Item as Thing
import groovy.transform.CompileStatic

/**
 * A cart of {@code items}. More words.
 *
 * @author nobody
 */
@CompileStatic
@ToString(includes = ['name'], cache = true)
class Cart<T extends Item> extends Base<T> implements Runnable, shop.Countable {
  static final int LIMIT = 3
  private Store store = new Store("x")
  String name
  def items = []; int total
  List<Item> list = [1, 2,
    3]

  /** Closes over it. */
  def handler = { Item item, count -> item.weigh(); helper(count) }
  Closure<Integer> other = { it.size() }

  Cart(String name) { this.name = name; fill(name) }

  // Fills it.
  @Override
  public <R> List<R> fill(final String path, Item item = new Item(path), Map<String, Integer> sizes) throws IOException {
    item.weigh()
    store.put(item)
    this.store.put(1)
    def made = new Ledger(path)
    made.write unknown(path)
    Thing thing = Thing.make(name: 'x')
    thing?.go()
    items.each { i -> i.weigh(helper(1)) }
    items.collect { it.name }.findAll { notNull(it) }
    if (item in list && path =~ /class Not { def a() {} }/) return []
    println "def notAMethod() { ${helper(2)} }"
    String text = """
      class NeitherThis { }
    """
    for (Item each : list) { each.done() }
    switch (name) { case 'a': helper(3); break }
    super.fill(path)
    return list as List<R>
  }

  def helper(n) { n + 1 }
  protected static void stop() {}
  int size() { total / 2 / 3 }
  abstract void later(int a)
  static main(args) { new Cart("x").run() }

  enum Colour { RED, GREEN(1), /* last */ BLUE { int n() { 1 } }
    private int n
    Colour(int n = 0) { this.n = n }
  }
  static class Inner { def deep() { stop() } }
}

trait Countable {
  abstract int count()
  int twice() { count() * 2 }
}

interface Sized extends Countable, Named { int size(); String label }
@interface Marked { String value() default "" }

int globalHelper(x) { x }
def script = globalHelper(1)
globalHelper 2
new Cart("y").fill("z")
