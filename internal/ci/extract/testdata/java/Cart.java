/*
 * Copyright 2026 Somebody. Licensed to nobody.
 */
package shop.cart;

import static shop.util.Checks.notNull;
import static shop.util.Texts.*;

import java.io.IOException;
import java.util.*;
import shop.Store;
import shop.Store.Entry;

/**
 * A cart of {@link Store.Entry entries}, for one {@code Customer}. More text.
 *
 * @param <T> what is in it
 */
@Deprecated
public sealed abstract class Cart<T extends Item & Named> extends shop.Base<T>
    implements Runnable, Comparable<Cart<T>> permits Small, Large {

  public static final int LIMIT = 3;
  private final Store store = new Store(LIMIT), spare;
  protected Map<String, Entry> entries = new HashMap<>();
  /** Calls when done. */
  private Callback callback = new Callback() {
    int seen;

    @Override
    public void done(Entry entry) {
      seen++;
      entry.close();
      helper();
      store.put(entry);
      finish(entry);
    }

    private void helper() {}
  };

  static {
    register(LIMIT);
  }

  /** Makes one. */
  public Cart(Store store) {
    super(store);
    this.spare = store;
    this.fill();
  }

  @Override
  public <R extends Result> List<R> run(final Entry first, T item, int... counts) throws IOException, CartException {
    Entry entry = first.next();
    var line = new Line("x");
    var made = Store.open().entry("a");
    made.close();
    item.weigh();
    for (Entry e : store.all()) {
      e.close();
    }
    for (Line e = line; e != null; e = e.next()) {
      e.print();
    }
    try (Reader reader = open(); other) {
      reader.read();
    } catch (IOException | CartException e) {
      e.report();
    } catch (StoreException e) {
      e.report();
    }
    Runnable later = () -> notNull(entry);
    entries.forEach((key, value) -> value.close());
    entries.values().forEach(Entry::close);
    entries.values().forEach(this::remove);
    lines(Line::new, (Line each) -> each.print());
    if (item instanceof Small small && small.fits()) {
      small.pack();
    }
    Object text = switch (first.colour()) {
      case RED -> Colour.RED.paint();
      case GREEN, BLUE -> upper("x");
      default -> { yield 3; }
    };
    String[] names = new String[counts.length];
    names[0].length();
    Cart.this.fill();
    Cart.super.weigh();
    super.weigh();
    ((Line) text).print();
    first.owner.entries.clear();
    store.builder().name("a").size(2).build();
    Line.<String>of(Line.MAX);
    outer.new Inner();
    line.print(LIMIT, Store.DEFAULT);
    class Local {
      Line held;

      void go() {
        held.print();
      }
    }
    new Local().go();
    return null;
  }

  void fill() {}

  // Nobody calls this.
  private static Store remove(Entry entry) {
    return null;
  }

  public static void main(String[] args) {
    new Small(null).run(null, null);
  }

  /** A row. */
  public interface Row extends Named, Comparable<Row> {
    int WIDTH = 1;

    Entry entry();

    default void print() {
      entry().close();
    }
  }

  enum Colour implements Named {
    /** Like fire. */
    RED,
    GREEN(3) {
      @Override
      void paint() {
        mix();
      }
    };

    final int weight;

    Colour() {
      this(1);
    }

    Colour(int weight) {
      this.weight = weight;
    }

    void paint() {}

    void mix() {}
  }

  record Point<N>(int x, @Nullable Entry entry) implements Named {
    Point {
      notNull(x);
    }

    static Point<String> of() {
      return new Point<>(1, null).move();
    }

    Point<N> move() {
      entry.close();
      return this;
    }
  }

  @interface Limits {
    /** The most. */
    int max() default 3;

    Class<? extends Row>[] rows() default {};
  }
}
