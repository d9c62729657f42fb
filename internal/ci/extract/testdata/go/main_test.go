package main

import "testing"

func main() { run() }

func TestRun(t *testing.T) { run() }

func TestMain(m *testing.M) {}

func Testing() {}

func BenchmarkRun(b *testing.B) {}

func FuzzRun(f *testing.F) {}

func ExampleRun() {}

func run() {}
