// Package order sorts slices with one copy of the algorithm in the whole
// program. Package slices compiles one for each type, some ten kilobytes
// each; route is carried by every clone of every repository that vendors it.
// Where a sort is a measurable part of a question or of a build, package
// slices is the better choice.
package order

import "sort"

// By sorts a list in ascending order as compare determines it, which returns
// a negative number when a comes first. Equal elements end up in any order.
func By[T any](list []T, compare func(a, b T) int) { sort.Sort(view(list, compare)) }

// Stable is [By] that leaves equal elements in the order in which they are.
func Stable[T any](list []T, compare func(a, b T) int) { sort.Stable(view(list, compare)) }

// viewed is a list without its type.
type viewed struct {
	length int
	less   func(i, j int) bool
	swap   func(i, j int)
}

func view[T any](list []T, compare func(a, b T) int) viewed {
	return viewed{
		len(list),
		func(i, j int) bool { return compare(list[i], list[j]) < 0 },
		func(i, j int) { list[i], list[j] = list[j], list[i] },
	}
}

func (v viewed) Len() int           { return v.length }
func (v viewed) Less(i, j int) bool { return v.less(i, j) }
func (v viewed) Swap(i, j int)      { v.swap(i, j) }
