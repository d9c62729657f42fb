// Copyright of nobody.

import Foundation
import class UIKit.UIView
@testable import Shop

/// A cart of items. More words.
///
/// - Parameter path: where
@available(iOS 13, *)
public final class Cart<T: Item>: Base<T>, Countable where T: Named {
  /// How many fit.
  public static let limit = 3
  private var store: Store, spare: Store?
  weak var delegate: CartDelegate?
  let (left, right) = (1, 2)
  lazy var money: Money = { Money.zero() }()

  /// What is in it.
  public var total: Int {
    get { count(of: items) }
    set { store.put(newValue) }
  }
  var size: Int { items.size() } // not of what comes next
  @Published var state = State.open { didSet { changed(state) } }

  public init(path: String, store: Store = Store(path)) {
    self.store = store
    super.init(path)
    fill(path)
  }
  convenience init?(_ raw: Int) { return nil }
  required init() {}
  deinit { store.close() }

  /* Fills it. */
  @discardableResult
  public func fill(_ path: String, with item: Item...) async throws -> Bool {
    let item = Item(path)
    item.weigh()
    self.store.put(item)
    let made: Ledger = make()
    made.write(unknown(path))
    guard let first = items.first else { return false }
    for i in items { i.weigh() }
    items.map { $0.go(helper()) }
    switch state {
    case .open(let x): x.run()
    default: break
    }
    func inner() { helper() }
    inner()
    Cart<T>.shared.fill(path)
    if #available(iOS 13, *) { Shop.Deep.here() }
    return try await total.check()
  }

  subscript(index: Int) -> Item { items[index] }
  static func == (a: Cart, b: Cart) -> Bool { a.total == b.total }
  class func shared<U>(of u: U) -> Cart where U: Item { Cart(u) }
  fileprivate struct Inner { var x = 1 }
  typealias Handler = (Int) -> Void
}

struct Point: Equatable, Codable {
  var x, y: Double
  mutating func move() { x += 1 }
}

/// Where a cart is.
indirect enum State: String, CaseIterable {
  case open(Int), closed
  /// Lost.
  case lost = "lost"
  var label: String { rawValue }
  case nested(State)
}

public protocol Countable: AnyObject, Sized {
  associatedtype Element: Item
  var count: Int { get }
  func add(_ e: Element) -> Bool
  static func make() -> Self
  init(count: Int)
}

extension Cart: CustomStringConvertible {
  public var description: String { "cart \(total) \(helper())" }
  func extended() { fill("x") }
  struct Nested { func deep() {} }
}

extension Elsewhere.Thing where T == Int {
  func foreign() { extended() }
}

infix operator <+>: AdditionPrecedence
prefix operator ++
precedencegroup Mine { associativity: left }

func <+> (a: Cart, b: Cart) -> Cart { a.fill("x"); return b }

/// Helps.
func helper(_ x: Int = 1) -> Int { return x }
private func hidden() {}
let globalLimit: Int = 10
var counter = Store.shared
typealias Carts = [Cart<Item>]

actor Counter { var value = 0; func add() { value += 1 } }

@main
struct App {
  static func main() { helper(); run() }
}

#if DEBUG
func debugOnly() {}
#endif

@propertyWrapper struct Clamped<V: Comparable> { var wrappedValue: V }
let text = """
func notAFunction() {}
"""
