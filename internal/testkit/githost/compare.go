package githost

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// compare tells how the head stands to the base: ahead means that it descends
// from it.
func compare(c *call) reply {
	spec, err := url.PathUnescape(c.values["basehead"])
	base, head, ok3 := strings.Cut(spec, "...")
	if err != nil || !ok3 || !c.repo.is("commit", base) || !c.repo.is("commit", head) {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	count := func(spec string) int {
		out, err := c.h.run("", "-C", c.repo.Dir, "rev-list", "--count", spec)
		if err != nil {
			return -1
		}
		n, _ := strconv.Atoi(strings.TrimSpace(out))
		return n
	}
	merge, err := c.h.run("", "-C", c.repo.Dir, "merge-base", base, head)
	if err != nil { // no common ancestor, which the service answers so
		return c.refuse(http.StatusNotFound, "No common ancestor between "+base+" and "+head+".")
	}
	ahead, behind := count(base+".."+head), count(head+".."+base)
	status := "diverged"
	switch {
	case ahead == 0 && behind == 0:
		status = "identical"
	case behind == 0:
		status = "ahead"
	case ahead == 0:
		status = "behind"
	}
	made := c.filled("commit-comparison", Object{
		"status": status, "ahead_by": ahead, "behind_by": behind, "total_commits": ahead,
		"base_commit": c.listed(base), "merge_base_commit": c.listed(strings.TrimSpace(merge)), "commits": []any{},
	})
	return ok(http.StatusOK, made)
}

// listed is a commit as it stands in lists.
func (c *call) listed(name string) Object {
	made := c.filled("commit", Object{"sha": name, "node_id": "C_" + name, "parents": []any{}})
	made["author"], made["committer"] = nil, nil
	return made
}
