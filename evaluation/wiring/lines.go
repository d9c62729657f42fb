package main

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
)

// A candidate is a line that looks like wiring.
type candidate struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Text  string   `json:"text"`
	Found bool     `json:"found"` // a fact stands on this very line, or goes through it
	Facts []string `json:"facts,omitempty"`
}

var (
	// likelyFile is where wiring is usually written: workflows, actions,
	// container files, compose, charts, Terraform, scripts, files of builds.
	likelyFile = regexp.MustCompile(`(?i)\.(ya?ml|tf|hcl|sh|bash|ps1|toml|sbt|gradle|mk)$|(^|/)([^/]*(docker|container)file[^/]*|makefile|jenkinsfile|justfile|go\.mod|\.tool-versions|\.nvmrc|package\.json|build\.properties)$|(^|/)(script|scripts|bin|hack)/[^/.]+$`)

	likelyLine = regexp.MustCompile(`(?i)^\s*-?\s*uses:\s*\S|\bimage:\s*['"]?[\w{]|^\s*FROM\s+\S|` +
		`gh release (create|upload|download)|releases/download/|api\.github\.com|raw\.githubusercontent\.com|` +
		`docker (push|pull|run|build)\b|helm (push|pull|install|upgrade)\b|\b(npm|cargo|twine|gem|sbt) (ci-)?(publish|upload|push|release|\+publish)|` +
		`\b(curl|wget)\b.*https?://|repository_dispatch|workflow_dispatch|workflow_call|workflow_run|gh workflow run|/dispatches\b|` +
		`^\s*-?\s*['"]?[\w.-]*version['"]?\s*[:=]\s*['"]?v?\d+(\.\d+)+|^\s*source\s*=\s*"|^\s*(repository|chart):\s*['"]?\w|` +
		`go install \S+@|git (clone|push)\b.*|upload-artifact|download-artifact|^\s*(toolchain|go) (go)?\d+\.\d+|"engines"`)

	comment = regexp.MustCompile(`^\s*(#|//|--)`)
)

// candidates are all lines of the workspace that look like wiring.
func candidates(ctx context.Context, space *workspace.Workspace, facts []fact) ([]candidate, error) {
	type place struct {
		file string
		line int
	}
	at := map[place][]string{}
	for _, f := range facts {
		at[place{f.File, f.Line}] = append(at[place{f.File, f.Line}], f.Kind+" "+f.Name+": "+f.Says)
	}
	var found []candidate
	for _, r := range space.Repos {
		err := r.Read(ctx, func(n int) bool {
			f := r.Files[n]
			return f.Size < 1<<20 && likelyFile.MatchString(f.Path) && !strings.Contains(f.Path, "testdata/") && !strings.Contains(f.Path, "node_modules/")
		}, func(n int, data []byte) error {
			file := path.Join(r.Path, r.Files[n].Path)
			for i, line := range bytes.Split(data, []byte("\n")) {
				if !likelyLine.Match(line) || comment.Match(line) {
					continue
				}
				says := at[place{file, i + 1}]
				for _, f := range facts {
					if len(says) == 0 && through(f.Via, file, i+1) {
						says = append(says, f.Kind+" "+f.Name+": "+f.Says)
					}
				}
				found = append(found, candidate{file, i + 1, strings.TrimSpace(string(line[:min(len(line), 200)])), len(says) > 0, says})
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// through reports whether a fact comes by way of a line of a file: script:line.
func through(via, file string, line int) bool {
	name, number, ok := cutLast(via)
	return ok && number == line && (name == file || strings.HasSuffix(file, "/"+name))
}

func cutLast(via string) (string, int, bool) {
	i := strings.LastIndexByte(via, ':')
	if i < 1 {
		return "", 0, false
	}
	n := 0
	for _, c := range via[i+1:] {
		if c < '0' || c > '9' || n > 1<<20 {
			return "", 0, false
		}
		n = n*10 + int(c-'0')
	}
	return via[:i], n, n > 0
}
