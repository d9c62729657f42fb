// Package ghapp lets a program act as a GitHub App on one repository: it reads
// the App's private key, finds the installation, takes a token that can write
// contents there and nothing else, and gives it back at the end.
//
// No message of this package holds a part of a key or a token.
package ghapp

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
)

// maxKey bounds a key's text, in bytes: the longest that GitHub makes has
// some 1,700.
const maxKey = 32 << 10

// leastBits is the shortest key that GitHub gives to an App.
const leastBits = 2048

// A KeyError is a private key that cannot be used, and what to do.
type KeyError struct {
	From string // where it came from, as in "the variable BUNDLE_BOT_KEY"
	text string
	next string
}

func (e *KeyError) Error() string { return fmt.Sprintf("the private key in %s %s", e.From, e.text) }

// Hint is the next step.
func (e *KeyError) Hint() string { return e.next }

// ParseKey reads the private key of an App, a PEM text in PKCS#1 or PKCS#8.
// What settings pages and shells make of a text is undone: CRLF, "\n" spelled
// out, quotes around it, spaces before its lines.
func ParseKey(text, from string) (*rsa.PrivateKey, error) {
	fail := func(what, next string) (*rsa.PrivateKey, error) { return nil, &KeyError{from, what, next} }
	const again = "store the whole .pem file that GitHub gave, from -----BEGIN to -----END and the line's end"
	text = tidy(text)
	switch {
	case text == "":
		return fail("is empty", "an unset secret gives an empty variable: look how it is stored and handed over")
	case len(text) > maxKey:
		return fail(fmt.Sprintf("has %d bytes, more than any key", len(text)), again)
	case !strings.Contains(text, "-----BEGIN "):
		switch {
		case strings.HasPrefix(text, "Iv") && len(text) < 64:
			return fail("is a client id, not a key", "make a private key on the App's settings page")
		case strings.HasPrefix(text, "gh") && strings.Contains(text, "_"):
			return fail("is a token, not a key", "--token-env takes a token; the key is a .pem file from the App's settings page")
		case strings.HasPrefix(text, "SHA256:"):
			return fail("is the key's fingerprint, not the key", again)
		case strings.HasPrefix(text, "LS0tLS1CRUdJTi"):
			return fail("is base64 of the file, not the file", "store the .pem file's own text")
		}
		return fail("does not begin with -----BEGIN", again)
	case !strings.Contains(text, "-----END "):
		return fail("has no -----END line: it was cut off", again)
	}
	block, rest := pem.Decode([]byte(text + "\n"))
	if block == nil {
		return fail("is no PEM text: a line between BEGIN and END is damaged", again)
	}
	if strings.Contains(string(rest), "-----BEGIN ") {
		return fail("holds more than one PEM block", "store the App's private key alone")
	}
	if block.Headers["Proc-Type"] != "" || block.Type == "ENCRYPTED PRIVATE KEY" {
		return fail("is protected by a passphrase", "store the .pem file as GitHub gave it")
	}
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "PUBLIC KEY", "RSA PUBLIC KEY":
		return fail("is a public key", "the private one is the .pem file that GitHub gave when it was made")
	case "OPENSSH PRIVATE KEY", "EC PRIVATE KEY":
		return fail("is a key of another kind: "+block.Type, "an App's key is made on its settings page")
	case "CERTIFICATE":
		return fail("is a certificate", again)
	default:
		return fail("is a PEM block of another kind", again)
	}
	if err != nil {
		return fail("is damaged: its contents are no RSA key", again)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return fail("is no RSA key", "an App's key is made on its settings page")
	}
	if bits := private.N.BitLen(); bits < leastBits {
		return fail(fmt.Sprintf("has %d bits; GitHub takes no fewer than %d", bits, leastBits), "make a new one on the App's settings page")
	}
	return private, nil
}

// tidy undoes what happens to a PEM text on its way.
func tidy(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.TrimSpace(text)
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	if !strings.Contains(text, "\n") {
		text = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
