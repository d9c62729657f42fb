package secret

import "testing"

func TestMaskNamed(t *testing.T) {
	for in, want := range map[string]string{
		`const dbPassword = "hunter2"`:                       `const dbPassword = "…"`,
		`var API_KEY string = "open sesame"`:                 `var API_KEY string = "…"`,
		`private static final String TOKEN = "letmein";`:     `private static final String TOKEN = "…";`,
		`pub const SECRET: &str = "swordfish"`:               `pub const SECRET: &str = "…"`,
		`val credentials: Map[String, String] = "a"`:         `val credentials: Map[String, String] = "…"`,
		`password = b'pass\'word'`:                           `password = b'…'`,
		"let pwd: string = `correct horse`;":                 "let pwd: string = `…`;",
		`def connect(user="me", passwd="hunter2", port=1)`:   `def connect(user="me", passwd="…", port=1)`,
		`x := Conn{Password: "hunter2", Name: "db"}`:         `x := Conn{Password: "…", Name: "db"}`,
		`{"api-key": "hunter2", "name": "db"}`:               `{"api-key": "…", "name": "db"}`,
		`secret = """open sesame""" # "x"`:                   `secret = "…" # "x"`,
		"secret = '''open\nsesame":                           "secret = '…'",
		`token = "cut o`:                                     `token = "…"`,
		`func tokens(text string, sep string) (a, b string)`: `func tokens(text string, sep string) (a, b string)`,
		`password := os.Getenv("DB_PASSWORD")`:               `password := os.Getenv("DB_PASSWORD")`,
		`const greeting = "hello"`:                           `const greeting = "hello"`,
		`fmt.Println("the password is:", p)`:                 `fmt.Println("the password is:", p)`,
	} {
		if got := MaskNamed(in); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", in, got, want)
		}
	}
}

func TestMaskLine(t *testing.T) {
	for in, want := range map[string]string{
		"DB_PASSWORD=hunter2\n":              "DB_PASSWORD=…\n",
		"export api_key = open sesame\r\n":   "export api_key = …\r\n",
		"declare -x TOKEN='let me in'":       "declare -x TOKEN='…'",
		"TOKEN=$OTHER":                       "TOKEN=$OTHER",
		"TOKEN=":                             "TOKEN=",
		"NAME=shop":                          "NAME=shop",
		"# the password is written below":    "# the password is written below",
		`curl --token "x" --url=http://a/b`:  `curl --token "x" --url=http://a/b`,
		"URL=https://example.org?token=none": "URL=https://example.org?token=none",
	} {
		if got := MaskLine(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
