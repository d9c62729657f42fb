"""Lists the calls of a Python checkout as the pyright language server sees them.

    python3 witness.py LANGSERVER ROOT [FOLDER...] > FACTS

LANGSERVER is pyright's langserver.index.js; FOLDER limits the files read.
Python's own parser finds the calls, pyright says where each leads. One JSON
object a line: file, line, name, target_file, target_line, dynamic.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse


class Server:
    """A language server on a pipe."""

    def __init__(self, script, root):
        self.process = subprocess.Popen(
            ["node", script, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self.count = 0
        folder = {"uri": root.as_uri(), "name": "root"}
        self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": {"workspace": {"configuration": True, "workspaceFolders": True}},
            },
        )
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def ask(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            message = self.receive()
            if "method" in message:
                if "id" in message:  # a question to us: no settings of ours
                    items = message.get("params", {}).get("items", []) if isinstance(message.get("params"), dict) else []
                    self.send({"id": message["id"], "result": [{} for _ in items] or None})
            elif message.get("id") == self.count:
                return message.get("result")


def called(node):
    """The name of a call and where it ends: line, column in UTF-8 bytes."""
    f = node.func
    if isinstance(f, ast.Name):
        return f.id, f.lineno, f.col_offset
    if isinstance(f, ast.Attribute):
        return f.attr, f.end_lineno, f.end_col_offset - len(f.attr.encode())
    return None


def definitions(path, known={}):
    """The lines on which a file's functions and classes have their names, each
    with the line of its implementation, which is another for an @overload."""
    if path not in known:
        lines = known[path] = {}
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, OSError):
            return lines
        for scope in ast.walk(tree):
            last = {}
            for n in reversed(getattr(scope, "body", None) if isinstance(getattr(scope, "body", None), list) else []):
                if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    if any("overload" in ast.unparse(d) for d in n.decorator_list):
                        lines[n.lineno] = last.get(n.name, n.lineno)
                    else:
                        lines[n.lineno] = last[n.name] = n.lineno
                elif isinstance(n, ast.ClassDef):
                    lines[n.lineno] = n.lineno
            for part in ("orelse", "finalbody"):
                for n in getattr(scope, part, None) if isinstance(getattr(scope, part, None), list) else []:
                    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                        lines[n.lineno] = n.lineno
    return known[path]


def facts(server, root, path):
    data = path.read_bytes()
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return
    uri = path.as_uri()
    text = data.decode("utf-8", "replace")
    rows = data.split(b"\n")
    server.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not (c := called(node)):
            continue
        name, line, column = c
        before = rows[line - 1][:column].decode("utf-8", "replace")
        position = {"line": line - 1, "character": len(before.encode("utf-16-le")) // 2}
        found = server.ask("textDocument/definition", {"textDocument": {"uri": uri}, "position": position}) or []
        for f in found if isinstance(found, list) else [found]:
            target = Path(unquote(urlparse(f["uri"]).path))
            out = {"file": path.relative_to(root).as_posix(), "line": line, "name": name, "target_file": "", "target_line": 0}
            if target.is_relative_to(root) and "node_modules" not in target.parts:
                out["target_file"] = target.relative_to(root).as_posix()
                at = f["range"]["start"]["line"] + 1
                out["target_line"] = definitions(target).get(at, at)
                if at not in definitions(target):
                    out["dynamic"] = True
            yield out
    server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def main():
    script, root = sys.argv[1], Path(sys.argv[2]).resolve()
    folders = sys.argv[3:] or ["."]
    server = Server(str(Path(script).resolve()), root)
    lines = set()
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            for out in facts(server, root, path):
                lines.add(json.dumps(out))
    server.process.terminate()
    for line in sorted(lines):
        print(line)


main()
