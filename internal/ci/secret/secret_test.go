package secret

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"key := \"AKIA1234567890ABCDEF12\"":                                    `key := "…"`,
		"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4 is a token":                          "… is a token",
		"github_pat_11ABCDEFG0aBcDeFgHiJkL_mnopqrstuvwxyz":                     "…",
		"https://x-access-token:ghs_16C7e42F292c6912E7710c838347Ae178B4a@h/r":  "https://x-access-token:…@h/r",
		"https://hooks.example.org/T00000000/B00000000/xQ7vR2mK9pL4wZ8nT3bY6c": "https://hooks.example.org/T00000000/B00000000/…",
		"Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.x":         "Authorization: Bearer ….x",
		"password='9f86d081884c7d659a2feaa0c55ad015'":                          "password='…'",
		"9F86D081884C7D659A2FEAA0C55AD015":                                     "…",
		"wJalrXUtnFEMI/K7MDENG/bPxRfiCYq3T8mZ end":                             "… end",
		"sk-aB3xK9pQ2mZ7vL4nR8tW":                                              "…",
		"vuejs/core/blob/35785f3cd7bd86cbec3f8324022491da2d088b61/packages":    "vuejs/core/blob/…/packages",
		"h1:Ov8bXUwrWSVTkKMhJd0Y0GVqGqGQKmvFHSr7sS9pQ3k=":                      "h1:…=",
	} {
		got := Mask(text)
		if got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// TestNamesStay: none of these is a secret.
func TestNamesStay(t *testing.T) {
	for _, text := range []string{
		"", "short", "com/fd4s/fs2-kafka/Fs2Kafka/Fs2Kafka3", "TestGetUserByID2ReturnsAnErrorWhenMissing123", "github.com/marola-dev/marola-routing/internal",
		"internal/ci/assemble/testdata/script/build_local_2.txtar", "test_issue_12345_regression_of_the_fix_67",
		"sha256Sum512Base64Encode2", "X86_64UnknownLinuxGnu32Abi", "npm_config_python3_v2_registry_url", "sk-learn-like-pipelines-version-2",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "0123456789abcdef", strings.Repeat("0", 64), strings.Repeat("-", 80),
		"18446744073709551615184467440", "UTF8ToUTF16LEConverterV2", "https://example.org/a/very/long/path/with/1/2/3/numbers",
		"aes128-ctr256-sha512-hmac1024", "getHTTPSURLForIPv4AndIPv6Address", "550e8400-e29b-41d4-a716-446655440000",
		"Straßenbahnhaltestellenverzeichnis12", "AKIA", "eyJ", "ghp_token_name_of_variable_1", "deadbeefdeadbeefdeadbeefdeadbeef",
		"JetBrainsMonoNLNerdFontMono2", "EXT_texture_compression_s3tc_srgb2",
	} {
		if got := Mask(text); got != text {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

// TestChance: of keys that chance makes, few pass.
func TestChance(t *testing.T) {
	const rounds = 500
	for _, kind := range []struct {
		name   string
		encode func([]byte) string
		most   int // that may pass, of rounds
	}{
		{"hex", hex.EncodeToString, 0},
		{"base64, 32 bytes", base64.StdEncoding.EncodeToString, 10},
		{"base64 for addresses, 24 bytes", func(b []byte) string { return base64.RawURLEncoding.EncodeToString(b[:24]) }, 25},
	} {
		passed := 0
		for i := range rounds {
			sum := sha256.Sum256(fmt.Append(nil, kind.name, i))
			key := kind.encode(sum[:])
			if strings.Contains(Mask("key = "+key), key[4:16]) {
				passed++
			}
		}
		if passed > kind.most {
			t.Errorf("%s: %d of %d pass, at most %d may", kind.name, passed, rounds, kind.most)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("key AKIA1234567890ABCDEF12 and " + strings.Repeat("aB3", 20))
	f.Add("\xff" + strings.Repeat("0a/", 30))
	f.Fuzz(func(t *testing.T, text string) {
		once := Mask(text)
		if twice := Mask(once); twice != once {
			t.Errorf("%q masked twice is %q, once %q", text, twice, once)
		}
		if len(once) > len(text) {
			t.Errorf("%q grew to %q", text, once)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	text := strings.Repeat("func (p *parser) parse(ctx context.Context, f workspace.File, data []byte) parsed {\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Mask(text)
	}
}
