"""Lists the calls of functions and scripts in a checkout's shell scripts.

    python3 witness.py ROOT [NAME=VALUE...] > FACTS

bash itself says which scripts a script reads and where each function is
defined (load.bash); tree-sitter's grammar finds the calls. NAME=VALUE sets a
variable that the scripts expect, such as the folder they are installed in.
One JSON object a line: file, line, name, target_file, target_line, dynamic.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import tree_sitter_bash
from tree_sitter import Language, Parser

PARSER = Parser(Language(tree_sitter_bash.language()))
LOAD = Path(__file__).with_name("load.bash").resolve()
SIMPLE = re.compile(r"""^"?[A-Za-z0-9_./${}-]+"?(/[A-Za-z0-9_./${}"-]+)?$""")


def is_script(path):
    if path.suffix in (".sh", ".bash"):
        return True
    with path.open("rb") as f:
        return bool(re.match(rb"#!\s*\S*(/|env (-S )?)(ba|da)?sh\b", f.readline(100)))


class Script:
    """What one script says by itself, and what bash says of it."""

    def __init__(self, root, path, variables):
        self.path = path
        self.calls = []  # (line, name, word)
        self.sources_later = False  # a function reads another script
        self.functions = {}  # name → (path, line)
        self.own = {}  # name → lines of its definitions in this file, as the grammar sees them
        self.reads = set()  # the scripts that its functions are from
        self.words = {}
        self.lost = True  # bash did not find a script that it reads, or did not get to its end
        self.find(PARSER.parse(path.read_bytes()).root_node, False)
        self.load(root, variables)

    def find(self, node, inside):
        if node.type == "command":
            name = node.child_by_field_name("name")
            word = name.text.decode("utf-8", "replace")
            if word in ("source", ".", "\\."):
                self.sources_later = self.sources_later or inside
            self.calls.append((name.start_point[0] + 1, word))
        if node.type == "function_definition":
            name = node.child_by_field_name("name")
            self.own.setdefault(name.text.decode("utf-8", "replace"), []).append(name.start_point[0] + 1)
        for c in node.children:
            self.find(c, inside or node.type == "function_definition")

    def load(self, root, variables):
        words = sorted({w for _, w in self.calls if "/" in w and SIMPLE.match(w)})
        command = ["bash", "--norc", "--noprofile", str(LOAD), str(self.path)]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"] + command
        try:
            run = subprocess.run(
                command, input="\n".join(words).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root,
                timeout=60, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **variables},
            )
        except subprocess.TimeoutExpired:
            print(f"witness: {self.path}: bash took too long", file=sys.stderr)
            return
        errors = run.stderr.decode("utf-8", "replace").lower()
        self.lost = any("no such file" in e and ": cd: " not in e for e in errors.splitlines())
        for row in run.stdout.decode("utf-8", "replace").splitlines():
            kind, _, rest = row.partition("\t")
            if kind == "function" and len(parts := rest.split(" ", 2)) == 3:
                self.functions[parts[0]] = ((root / parts[2]).resolve(), int(parts[1]))
                self.reads.add(self.functions[parts[0]][0])
            elif kind == "word":
                word, _, text = rest.partition("\t")
                self.words[word] = (root / text).resolve()
        self.lost = self.lost or not self.own.keys() <= self.functions.keys()
        for name, (path, _) in self.functions.items():
            if path == self.path and len(self.own.get(name, [])) == 1:
                # bash tells the line of a function inside it, where there is one
                self.functions[name] = (path, self.own[name][0])


def facts(root, scripts):
    readers = {}  # path → scripts that read it
    for s in scripts.values():
        for r in s.reads - {s.path}:
            readers.setdefault(r, []).append(s)

    def place(target):
        path, line = target
        if not path.is_relative_to(root):
            return {"target_file": "", "target_line": 0}
        return {"target_file": path.relative_to(root).as_posix(), "target_line": line}

    for s in scripts.values():
        around = readers.get(s.path, [])
        unsure = any(x.sources_later or x.lost for x in [s, *around, *(scripts[r] for r in s.reads if r in scripts)])
        for line, word in s.calls:
            out = {"file": s.path.relative_to(root).as_posix(), "line": line, "name": word.strip('"').rsplit("/", 1)[-1]}
            if "/" in word:
                if word in s.words and s.words[word].is_file():
                    yield out | place((s.words[word], 1))
                continue
            if not re.fullmatch(r"[A-Za-z0-9_:.+-]+", word):
                continue
            if word in s.functions:
                yield out | place(s.functions[word])
                continue
            targets = {r.functions[word] for r in around if word in r.functions}
            for t in sorted(targets):
                yield out | place(t) | ({"dynamic": True} if len(targets) > 1 else {})
            if not targets and not unsure:
                yield out | {"target_file": "", "target_line": 0}


def main():
    root = Path(sys.argv[1]).resolve()
    variables = dict(a.split("=", 1) for a in sys.argv[2:])
    files = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout.decode()
    paths = [root / f for f in files.split("\0") if f and (root / f).is_file() and not (root / f).is_symlink()]
    scripts = {p: Script(root, p, variables) for p in paths if is_script(p)}
    lines = {json.dumps(f) for f in facts(root, scripts)}
    for line in sorted(lines):
        print(line)


main()
