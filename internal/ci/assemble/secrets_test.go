package assemble

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// allTerms are the keys of every word piece.
func allTerms(t *testing.T, res *Result) map[string]bool {
	t.Helper()
	terms := map[string]bool{}
	for name, data := range res.contents() {
		if !strings.HasPrefix(name, "words/") || name == "words/index.json" {
			continue
		}
		c, err := strictjson.NewCursor(data)
		if err == nil {
			err = c.Object(func(key []byte) error { terms[strings.TrimPrefix(string(key), "=")] = true; return c.Skip() })
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return terms
}

// TestSecretsStayOut: what looks like a key is in no file of the bundle, in
// no form: not in a signature, not in a doc sentence, not as words.
func TestSecretsStayOut(t *testing.T) {
	keys := []string{"AKIAQ7XW3ZK9PLM2RT5V", "ghp_Zx8Kq2Lm9Rt4Vw7Bn1Cd6Fg3Hj5Ps0Ty2Uv8", "c3ab8ff13720e8ad9047dd39466b3c89", "Qm7xK2pR9vT4wZ8nL3bY6cJ1dF5gH0s", "wq0fZ8Kx3Lm7Rt2Vb9Nc4Hj6Pd1Sg5Ty"}
	w, dir := repository(t, map[string]string{
		"a.go":  "package a\n\n// Open uses " + keys[1] + " for now.\nfunc Open() {}\n\nconst key = \"" + keys[0] + "\"\n\nvar token = \"" + keys[3] + "\"\n",
		"b.py":  "def connect(key='" + keys[2] + "', name=\"Bearer " + keys[3] + "\"):\n    pass\n",
		"c.ts":  "/** Calls with " + keys[4] + ". */\nexport const call = (k = `" + keys[1] + "`) => k;\n",
		"d.sh":  "export TOKEN=" + keys[1] + "\n",
		"e.txt": strings.Join(keys, "\n") + "\n",
		".env":  "KEY=" + keys[4] + "\nURL=https://me:" + keys[3] + "@example.org/\n",
	})
	commit(w, dir, "Rotate "+keys[0]+" to "+keys[3], map[string]string{"a2.go": "package a\n"})
	res := build(t, w, dir, Options{})
	for name, data := range res.contents() {
		text := strings.ToLower(string(data))
		for _, key := range keys {
			if _, rest, ok := strings.Cut(key, "_"); ok {
				key = rest
			}
			if key = strings.ToLower(key); strings.Contains(text, key) || strings.Contains(text, key[:12]) {
				t.Errorf("%s holds %s", name, key)
			}
		}
	}
	terms := allTerms(t, res)
	for _, word := range []string{"open", "token", "connect", "call", "rotat"} {
		if !terms[word] {
			t.Errorf("the word %s beside a key is gone too", word)
		}
	}
	for _, part := range []string{"zx8", "qm7x", "rt4", "kq2", "wq0f", "c3ab8ff13720e8ad9047dd39466b3c89"} {
		if terms[part] {
			t.Errorf("%s, a part of a key, is in the word index", part)
		}
	}
}

// TestNamedSecretsStayOut: a password that is a word looks like no key; its
// name says what it is.
func TestNamedSecretsStayOut(t *testing.T) {
	w, dir := repository(t, map[string]string{
		"a.go":           "package a\n\nconst DatabasePassword = \"swordfish\"\n\nvar apiKey string = `swordfish`\n",
		"b.py":           "TOKEN = 'swordfish'\n\n\ndef connect(user, passwd=\"swordfish\"):\n    pass\n",
		"c.ts":           "export const secret: string = \"swordfish\";\nexport const login = { credential: 'swordfish' };\n",
		"d.sh":           "export API_KEY=swordfish\n",
		"e.scala":        "object Conf {\n  val pwd = \"swordfish\"\n}\n",
		".env":           "PASSWORD=swordfish\nREGION=harbour\n",
		"prod/.env.test": "export AUTH_TOKEN = swordfish\n",
	})
	res := build(t, w, dir, Options{})
	for name, data := range res.contents() {
		if strings.Contains(strings.ToLower(string(data)), "swordfish") {
			t.Errorf("%s holds it", name)
		}
	}
	terms := allTerms(t, res)
	for _, word := range []string{"databas", "apikey", "token", "passwd", "login", "harbour", "pwd"} {
		if !terms[word] {
			t.Errorf("the word %s beside it is gone too", word)
		}
	}
}
