package lexicon

import "strings"

// abbreviations are words of prose with the short forms that names have in
// their place, one family a line. Only what is one thing in most code stands
// here: "pos" is seldom anything but a position, "mod" is many things.
// Words that no ending joins, but a programmer does, stand here too.
const abbreviations = `
address addr
administrator admin
annotation annot
application app
argument arg
asynchronous async
attribute attr
authentication authenticate auth
authorization authorize auth
binary bin
boolean bool
buffer buf
button btn
calculate calc
certificate cert
character char
column col
command cmd
configuration configure config conf cfg
connection conn
context ctx
conversion convert
database db
declaration decl
dependency dep
deserialization deserialize
destination dest dst
difference diff
directory dir folder
distribution dist
documentation document doc
element elem
environment env
error err
executable exe
expansion expand
expression expr
extension ext
function func fn
generate gen
identifier id
image img
implementation implement impl
index idx
information info
initialization initialize init
integer int
iterator iter
language lang
length len
library lib
maximum max
message msg
minimum min
normalization normalize
number num
object obj
operation op
operator op
optimization optimize
organization org
package pkg
parameter param
password pwd
permission perm
pointer ptr
position pos
previous prev
property prop
reference ref
repository repo
request req
response resp
serialization serialize
source src
specification spec
standard std
statement stmt
string str
synchronize sync
temporary temp tmp
tokenization tokenize
transaction tx
utility util
value val
variable var
window win
`

var shortened = families(abbreviations)

// Abbreviations returns the terms that stand for the same word as term in
// names, without itself: "cfg" and "config" for that of "configuration". The
// caller must not change them.
func Abbreviations(term string) []string { return shortened[term] }

func families(list string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		for _, from := range words {
			for _, to := range words {
				if Stem(from) != Stem(to) {
					m[Stem(from)] = append(m[Stem(from)], Stem(to))
				}
			}
		}
	}
	return m
}
