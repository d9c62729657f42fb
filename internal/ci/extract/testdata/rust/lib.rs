// Copyright nobody.

//! A shop. It sells.
//!
//! More.

#![allow(dead_code)]

extern crate alloc as heap;

mod cart;
pub mod store;
#[path = "odd/place.rs"]
mod placed;

use std::io::{self, prelude::*, Read as Source};
pub use crate::cart::{line::Line as Row, Cart};
use store::{self as shelf, Store};
use super::*;

/// A shelf of things. More.
///
/// # Examples
#[derive(Debug, Clone, Custom)]
pub struct Shelf<'a, T: Thing> where T: Named {
    /// Its name.
    pub(crate) name: &'a str,
    rows: Vec<Row>,
    top: Option<Box<T>>,
    store: Store,
}

struct Pair(pub Row, u8);
struct Unit;

pub union Bits {
    whole: u32,
}

/// What can happen.
pub enum Event {
    Opened,
    /// It sold.
    Sold(Row, u8),
    Moved { from: Row },
    Last = 3,
}

pub trait Thing: Named + fmt::Debug {
    type Part;
    const LIMIT: usize = 3;
    /// Weighs.
    fn weigh(&self) -> Row;
    fn make() -> Self
    where
        Self: Sized,
    {
        Self::prepare().finish()
    }
}

impl<'a, T: Thing> Shelf<'a, T> {
    pub const MOST: u8 = 1;

    /// Makes one.
    pub fn new(store: &Store) -> Self {
        let row: Row = Row::start();
        row.print();
        store.fetch();
        Shelf { name: "x", rows: vec![Row::start()], top: None, store: helper() }
    }

    fn open(path: &Path) -> io::Result<Shelf<'a, T>> {
        let file = Store::open(path)?;
        file.read();
        let shelf = Self::new(&file);
        shelf.sell(1)?.print();
        Ok(shelf)
    }

    async fn sell(&mut self, n: u8) -> Result<Row, Error> {
        self.rows.push(1);
        self.store.fetch().await?;
        self.store.inner.fetch();
        crate::cart::tidy();
        inline::deep(n);
        <T as Thing>::make();
        T::make();
        generic::<Row>(n);
        let pair = Pair(Row::start(), 2);
        pair.0.print();
        Self::MOST + Event::Last as u8;
        match self.last() {
            Event::Sold(row, n) => row.print(),
            Event::Moved { from } if from.fits() => {}
            Event::Moved { from: old, .. } => old.print(),
            Event::Opened | Event::Last => unknown.go(),
        }
        if let Some(found) = self.top.as_ref() {
            found.weigh();
        }
        if let Some(row) = Row::find("a") {
            row.print();
        }
        let Row { size, .. } = Row::start();
        for row in self.rows.iter() {
            row.print();
        }
        let print = |row: &Row, other| row.print_to(other);
        print(&row, 1);
        let row = 3;
        row.nothing();
        let made = Store::builder().name("a").build()?;
        made.fetch();
        println!("{}", self.store.count(), helper(), Row::start().print(), made.fetch(), size);
        check!(|row: &Row, n| { row.print(); });
        fn nested() {}
        nested();
        return Ok(Row::start());
    }

    fn last(&self) -> Event {
        Event::Opened
    }
}

impl<T: Thing> fmt::Display for Shelf<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Thing for store::Store {
    type Part = Row;

    fn weigh(&self) -> Row {
        fn inner() {}
        self.fetch();
        inner()
    }
}

impl<T: Thing> Named for T {
    fn named(&self) {
        self.weigh();
    }
}

impl From<Unit> for Event {
    fn from(_: Unit) -> Event {
        Event::Opened
    }
}

const MAX: usize = Store::LIMIT;
pub static SHELVES: Lazy<Mutex<Store>> = Lazy::new(|| Store::open("x"));
static mut COUNT: u8 = 0;
type Rows<T> = Result<T, Error>;

#[macro_export]
macro_rules! check {
    ($x:expr) => {
        $crate::helper($x);
        other($x)
    };
}

lazy_static! {
    /// One for all.
    static ref GLOBAL: Store = Store::start();
    pub static ref TABLE: Vec<u8> = { many() };
}

bitflags! {
    #[derive(Debug)]
    pub struct Flags: u8 {
        const A = 1;
    }
}

extern "C" {
    fn foreign(x: u8) -> u8;
}

fn helper() -> Store {
    check!(1);
    crate::check!(2);
    GLOBAL.fetch();
    unsafe { foreign(1) };
    Store::start()
}

fn dynamic(thing: &dyn Thing, any: impl Thing, all: &[Row]) -> Option<Row> {
    thing.weigh();
    any.weigh();
    all.first();
    r#match();
    helper().fetch();
    None
}

fn r#match() {}

mod inline {
    //! Deep things.
    use super::*;

    pub struct Deep {
        row: Row,
    }

    impl Deep {
        fn print(&self) {
            self.row.print();
        }
    }

    pub fn deep(n: u8) {}
}

#[cfg(test)]
mod tests {
    use super::{helper, Shelf};

    #[test]
    fn sells() {
        assert_eq!(helper().count(), Shelf::new(1));
    }

    #[tokio::test]
    async fn waits() {}

    fn not_a_test() {}
}
