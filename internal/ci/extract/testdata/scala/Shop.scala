/* Copyright 2026 */
package org.example
package shop

import cats.effect.{IO, Resource => Res, Ref as _}
import cats.syntax.all._
import scala.concurrent.duration.*
import a.b.Single, d.Second
import org.example.{given, Types as T}

/** A customer. Has a name. */
final case class Customer[F[_]](name: String, age: Int = 1)(implicit val monad: Monad[F])
    extends Base[F](name)
    with Show
    with util.Ordered {
  val full: String = name
  private lazy val hidden = compute(age)
  var mutable: Address = _
  type Key = Int

  /** Greets.
    * @param other the other one
    */
  def greet(other: Customer)(implicit log: Logger[F]): F[Unit] = {
    val visit = new Visit(1)
    def nested(i: Int) = i + 1
    visit.run(other.name)
    log.info(s"hello ${other.age}")
    nested(1).foldMap(helper.go).void
    for { a <- Address.parse(full); b = a.zip } yield b
    other match {
      case Some(q: Basket)  => q.pay()
      case Customer(n, _)   => n
      case Status.Done      => ()
    }
    list map render
    make[Int](age = 3)
  }
  override def toString = "x"
  protected def guarded = 1

  object Inner { val c = 1 }
}

object Customer extends IOApp.Simple with Mixed {
  implicit val show: Show[Customer] = Show.show(_.name)
  implicit class Ops(val self: Customer) extends AnyVal { def hi = self.greet(null) }
  implicit def convert(a: Int): String = a.toString
  def apply(n: String): Customer = new Customer(n, 1)
  val Limit = 3
  val (left, right) = pair
}

trait Algebra[F[_]] { self: Dependency =>
  def find(x: Int): F[Item]
  val name: String
}

sealed abstract class Colour(val code: Int)
case object Red extends Colour(1)

final class Service[F[_]](logger: Logger[F], config: Config)(implicit F: Async[F]) {
  private val client = Client.make(config)
  def run: F[Unit] = logger.info("x") >> client.get("y")
  @deprecated("no", "1") def old(): Unit = run
}

package object types {
  type Id = Int
  def idOf(x: Int): Id = x
}

object Main {
  def main(args: Array[String]): Unit = Customer("a").greet(null)
}

class CustomerSuite extends munit.FunSuite {
  test("greets") { Customer("a") }
}
