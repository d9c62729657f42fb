package bert

// ShareFrom sets how small a product is shared between threads.
func ShareFrom(multiplications int) (undo func()) {
	old := shareFrom
	shareFrom = multiplications
	return func() { shareFrom = old }
}
