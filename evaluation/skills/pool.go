package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// products are made up: a pool of hundreds of skills is mostly a few tasks, once
// for each product that somebody uses.
var products = strings.Fields(`Quillbase Tarnhub Ferrowire Mosslight Pikestream Orlanta Brackenpay Hollowgate Sundew Vexillum Cindermail Grovestack
	Larkspur Nettleform Osprix Plinthos Ravelin Skerrytrace Thornquay Umbrano Wickerdb Yarrowly Zephyrine Almswell Bristlecone Copperleaf
	Dunlinq Eskerval Fennimore Gorsevault`)

// tasks are what is done with a product: a name, what it says of itself, and
// its body. %s is the product.
var tasks = [][3]string{
	{"install-auth", "Install the %s SDK and set up its authentication. Use when a project begins to use %s.", "Add the client library. Read the key from the environment. Make one call and look at its answer."},
	{"webhooks-events", "Receive events of %s: check their signature, answer soon, and handle each once. Use for callbacks from %s.", "Compare the signature in constant time. Put the event into a queue. Keep its id for a week."},
	{"rate-limits", "Keep within the request limits of %s with queues and back-off. Use when %s answers 429.", "Read the headers that tell how many calls are left. Wait with jitter. Give up after five tries."},
	{"migration-deep-dive", "Move a running system from another vendor to %s step by step. Use when %s replaces something.", "Write to both. Compare. Move readers. Stop the old writes."},
	{"cost-tuning", "Find what makes the bill of %s large and lower it. Use when %s costs too much.", "Group usage by feature. Cache what repeats. Choose a smaller plan."},
	{"security-basics", "Give %s keys the least rights and rotate them. Use when keys of %s are made or leaked.", "One key for each service. Rotate every quarter. Scan commits."},
	{"debug-bundle", "Collect what the support of %s needs: versions, logs and failing requests. Use when a call to %s fails.", "Take the request ids. Leave secrets out. Pack it all."},
	{"ci-integration", "Run tests that talk to %s in continuous integration. Use when the pipeline needs %s.", "Use a test account. Record answers. Run against the real one at night."},
	{"deploy-integration", "Deploy a service that uses %s, with its secrets and health checks. Use before %s goes to production.", "Store the key as a secret. Check that the service answers. Roll back when it does not."},
	{"observability", "Trace, measure and alert on calls to %s. Use when nobody knows how %s behaves.", "Time every call. Count failures by kind. Alert on their share."},
	{"local-dev-loop", "Develop against %s on a laptop, with a stand-in and quick reloads. Use when work on %s is slow.", "Start the stand-in. Fill it with data. Reload on change."},
	{"data-handling", "Treat personal data in %s as the law wants: retention, export and deletion. Use for privacy questions about %s.", "List the fields. Set how long each is kept. Delete on request."},
	{"reference-architecture", "Lay out a project around %s: layers, errors and configuration. Use when a service with %s is designed.", "One client. One place for its errors. Settings by environment."},
}

// pool lists so many skills: the first of our own, and behind all of those the
// made-up ones.
func pool(size int) (list [][]string, err error) {
	own, err := rows("skills.txt", 3)
	if err != nil {
		return nil, err
	}
	for i := range len(products) * len(tasks) {
		product, task := products[i%len(products)], tasks[i/len(products)]
		own = append(own, []string{strings.ToLower(product) + "-" + task[0], strings.ReplaceAll(task[1], "%s", product), task[2]})
	}
	if size > len(own) {
		return nil, fmt.Errorf("there are %d skills, not %d", len(own), size)
	}
	return own[:size], nil
}

// layOut writes the skills as a person has them.
func layOut(dir string, list [][]string) error {
	for _, r := range list {
		d := filepath.Join(dir, r[0])
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
		text := fmt.Sprintf("---\nname: %s\ndescription: %q\n---\n%s\n", r[0], r[1], r[2])
		if err := os.WriteFile(filepath.Join(d, skill.FileName), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// within are the prompts that the pool has all skills for.
func within(prompts []prompt, list [][]string) (kept []prompt) {
	there := map[string]bool{}
	for _, r := range list {
		there[r[0]] = true
	}
	for _, p := range prompts {
		if !slices.ContainsFunc(p.skills, func(s string) bool { return !there[s] }) {
			kept = append(kept, p)
		}
	}
	return kept
}
