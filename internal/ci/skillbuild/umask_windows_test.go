package skillbuild

// umask does nothing: there is none on Windows.
func umask(int) int { return 0 }
