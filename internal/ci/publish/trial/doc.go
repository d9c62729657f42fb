// Package trial tries what only a publisher of its own process can show: what
// is left when it is killed, and how much memory and time it takes. It has no
// code of its own.
package trial
