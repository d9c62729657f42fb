package command

import (
	"flag"
	"fmt"
	"strings"
)

// help is the text of `tool --help`.
func (t Tool) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nUsage:\n", t.Name, t.Summary)
	t.writeVerbs(&b, t.verbNames())
	t.writeExitCodes(&b)
	fmt.Fprintf(&b, "\nMore on one command: %s COMMAND --help\n", t.Name)
	return b.String()
}

// groupHelp is the text of `tool noun --help`.
func (t Tool) groupHelp(noun string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: several commands\n\nUsage:\n", t.Name, noun)
	t.writeVerbs(&b, t.under(noun))
	fmt.Fprintf(&b, "\nMore on one command: %s %s COMMAND --help\n", t.Name, noun)
	return b.String()
}

func (t Tool) writeVerbs(b *strings.Builder, names []string) {
	wide := 0
	for _, name := range names {
		wide = max(wide, len(name))
	}
	for _, name := range names {
		v, _ := t.verb(name)
		fmt.Fprintf(b, "  %s %-*s  %s\n", t.Name, wide, name, v.Summary)
	}
}

// verbHelp is the text of `tool verb --help`.
func (t Tool) verbHelp(v Verb, fs *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\nUsage:\n  %s\n", t.Name, v.Name, v.Summary, strings.TrimSpace(t.Name+" "+v.Name+" "+v.Synopsis))
	if v.Help != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(v.Help))
	}
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			b.WriteString("\nFlags:\n")
			first = false
		}
		value, usage := flag.UnquoteUsage(f)
		name := "--" + f.Name
		if value != "" {
			name += " " + value
		}
		fmt.Fprintf(&b, "  %-22s %s%s\n", name, usage, flagDefault(f))
	})
	if len(v.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, e := range v.Examples {
			fmt.Fprintf(&b, "  %s\n", e)
		}
	}
	t.writeExitCodes(&b)
	return b.String()
}

func flagDefault(f *flag.Flag) string {
	switch f.DefValue {
	case "", "0", "false", "[]":
		return ""
	}
	return fmt.Sprintf(" (default %s)", f.DefValue)
}

func (t Tool) writeExitCodes(b *strings.Builder) {
	if len(t.ExitCodes) == 0 {
		return
	}
	b.WriteString("\nExit codes:\n")
	for _, line := range t.ExitCodes {
		fmt.Fprintf(b, "  %s\n", line)
	}
}
