plugins {
  kotlin("jvm")
}

val release = "1.0"

fun stamp(text: String) = "$text-$release"

tasks.register("hello") {
  println(stamp("x"))
}
