// Package endtoend holds no code: its tests run what is committed in our
// workflows, in the action and in the templates, step by step.
package endtoend
