package publish

import (
	"strings"
	"unicode/utf8"
)

// Limits on what is shown of a server's words.
const (
	maxLines = 12
	maxLine  = 300 // bytes
)

// serverLines cleans what a server wrote for people: one entry a line, no
// "remote:" in front, no control or direction characters, no progress
// counters, a bounded number of bounded lines.
func serverLines(text string, token Token) []string {
	var lines []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "remote:"))
		line = strings.Map(printable, line)
		line = token.redact(line)
		if line == "" || isCounter(line) {
			continue
		}
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "") + "…"
		}
		if lines = append(lines, line); len(lines) == maxLines {
			break
		}
	}
	return lines
}

func printable(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r == utf8.RuneError: // what was no UTF-8
		return '?'
	case r < ' ', r >= 0x7f && r < 0xa0, // control
		r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff: // unseen, or turning the text around
		return -1
	}
	return r
}

// isCounter reports whether a line only says how far the server is.
func isCounter(line string) bool {
	for _, word := range []string{"Resolving deltas:", "Counting objects:", "Compressing objects:", "Enumerating objects:", "Unpacking objects:", "Receiving objects:", "Processing ", "Checking connectivity:", "Total "} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// bodyLines are the lines of an HTTP answer; a page for browsers says nothing
// in a terminal.
func bodyLines(body string, token Token) []string {
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		return nil
	}
	return serverLines(body, token)
}

// ruled are the words of servers whose rules forbid an update. They differ
// between classic protection, rulesets and self-hosted hooks.
var ruled = []string{
	"repository rule violations", "protected branch", "GH006", "GH013", "pre-receive hook declined", "update hook declined", "hook declined",
	"not allowed to push", "You are not allowed to", "denyNonFastForwards", "denying non-fast-forward", "non-fast-forward", "denyCurrentBranch",
	"refusing to update checked out branch", "branch is currently checked out", "hidden ref", "deletion prohibited", "permission denied", "prohibited by Gerrit",
	"GH001", "exceeds", "shallow update not allowed", "funny refname", "read only", "read-only",
}

// lost are the words of servers whose compare-and-swap failed.
var lost = []string{
	"failed to update ref", "cannot lock ref", "failed to lock", "reference already exists", "incorrect old value", "stale info", "fetch first", "but expected",
}

// passRules is what to do about a branch whose rules forbid an update.
const passRules = "let the identity that publishes update this branch (a bypass actor in the ruleset, or an exception in the hook), or publish to another one with --branch"

// byStatus turns a server's word about one reference into an error.
func byStatus(status string, lines []string) error {
	status = strings.Join(serverLines(status, Token{}), " ")
	if contains(status, lost) {
		return &Moved{Text: status, Server: lines}
	}
	if contains(status, ruled) || contains(strings.Join(lines, "\n"), ruled) {
		return &Refused{Reason: status + " (refused by rules)", Server: lines, Next: passRules}
	}
	return &Refused{Reason: status, Server: lines, Next: "the remote's administrator can tell what its words mean"}
}

func contains(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, strings.ToLower(w)) {
			return true
		}
	}
	return false
}
