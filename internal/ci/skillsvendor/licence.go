package skillsvendor

import (
	"context"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
)

// licence sets the row's licence from the files as they will be. Where they
// say none, the row keeps what it has.
func (c *change) licence(ctx context.Context, repo *skillupstream.Repo, row *skillslock.Row) error {
	var names, blobs []string
	for _, file := range slices.Sorted(maps.Keys(c.plan.files)) {
		if file == "SKILL.md" || strings.HasPrefix(path.Base(file), "LICENSE") {
			names, blobs = append(names, file), append(blobs, c.plan.files[file].Blob)
		}
	}
	all, err := repo.Contents(ctx, c.plan.to.Hash, blobs)
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for i, name := range names {
		files[name] = all[blobs[i]]
	}
	if found := licenceOf(files); found != "" {
		row.License = found
	}
	return nil
}

var licenceLine = regexp.MustCompile(`^license:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9 .()+-]{0,60}?)["']?[ \t]*$`)

// licenceOf is the licence that SKILL.md says at its top, else that of the
// first LICENSE file, as SPDX names it; "" when neither is known.
func licenceOf(files map[string][]byte) string {
	text := strings.ReplaceAll(string(files["SKILL.md"]), "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		front, _, closed := strings.Cut(rest, "\n---")
		for line := range strings.Lines(front) {
			if m := licenceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); closed && m != nil {
				if known := spdx(m[1]); known != "" {
					return known
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(path.Base(name), "LICENSE") {
			continue
		}
		body := strings.Join(strings.Fields(string(files[name])), " ")
		switch {
		case strings.Contains(body, "Apache License") && strings.Contains(body, "Version 2.0"):
			return "Apache-2.0"
		case strings.Contains(body, "Permission is hereby granted, free of charge, to any person obtaining a copy"):
			return "MIT"
		case strings.Contains(body, "Redistribution and use in source and binary forms") && strings.Contains(body, "Neither the name"):
			return "BSD-3-Clause"
		}
		return ""
	}
	return ""
}

var spdxID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+-]*$`)

// spdx is a licence's id, or "" for what is a sentence, as in "Complete terms
// in LICENSE.txt".
func spdx(s string) string {
	if spdxID.MatchString(s) {
		return s
	}
	return ""
}
