// Says what each call of a checkout means to the TypeScript compiler.
//
//   node witness.mjs CHECKOUT [FOLDER…] > FACTS
//
// One JSON object a line, as the judge beside this folder reads them:
//
//   file, line, name          the call, with the line of the called name, from 1
//   target_file, target_line  the declaration; "" is one of a dependency or of
//                             the language's own library
//   also                      [{file, line}]: further declarations of the same
//                             thing, any of which is right: overloads, merged
//                             declarations, a class and its constructor, a
//                             variable and the function that it holds
//   dynamic                   a parameter, or a variable of a function that
//                             holds no function of its own: nothing that a
//                             graph of definitions has
//
// A call that the compiler has no declaration for, as of a value of type any,
// is not told.
//
// The compiler decides alone: nothing of this module's reading goes in. Every
// file is resolved with the options of its nearest tsconfig.json, and a
// package of the checkout is found by its name among the sources, as its own
// workspace tool would link it.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

// Also from the folder of node_modules that the caller stands in.
const ts = createRequire(path.join(process.cwd(), "here.js"))("typescript");

const root = fs.realpathSync(process.argv[2]);
const folders = process.argv.slice(3).map((f) => path.join(root, f));
const sources = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const skipped = new Set(["node_modules", ".git", "dist", "build", "out", "vendor", "third_party"]);

const files = [];
const packages = new Map();
const configured = new Map();

walk(root);
const wanted = files.filter((f) => folders.length === 0 || folders.some((d) => f.startsWith(d + path.sep)));

const fallback = {
  allowJs: true,
  checkJs: false,
  noEmit: true,
  strict: true,
  maxNodeModuleJsDepth: 0,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  allowArbitraryExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  typeRoots: [path.resolve("node_modules/@types")],
  types: ["node"],
};

const host = ts.createCompilerHost(fallback, true);
host.resolveModuleNameLiterals = (names, from, redirected, options, file) =>
  names.map((n) => ({ resolvedModule: resolve(n.text, from, ts.getModeForUsageLocation(file, n, options)) }));

const program = ts.createProgram(wanted, fallback, host);
const checker = program.getTypeChecker();
for (const name of wanted) {
  const file = program.getSourceFile(name);
  if (file) visit(file, file);
}

function walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path.join(dir, e.name);
    if (e.isDirectory()) {
      if (!skipped.has(e.name)) walk(at);
    } else if (e.isFile() && e.name === "package.json") {
      try {
        const { name } = JSON.parse(fs.readFileSync(at, "utf8"));
        if (name) packages.set(name, packages.has(name) ? undefined : dir);
      } catch {
        // not a manifest
      }
    } else if (e.isFile() && sources.test(e.name)) {
      files.push(at);
    }
  }
}

// optionsOf gives the options of the configuration nearest to a folder.
function optionsOf(dir) {
  if (configured.has(dir)) return configured.get(dir);
  let options = fallback;
  const name = ["tsconfig.json", "jsconfig.json"].map((n) => path.join(dir, n)).find((n) => fs.existsSync(n));
  if (name) {
    const read = ts.readConfigFile(name, ts.sys.readFile);
    const parsed = ts.parseJsonConfigFileContent({ ...read.config, files: [], include: undefined }, ts.sys, dir);
    const { baseUrl, paths, pathsBasePath, customConditions } = parsed.options;
    options = { ...fallback, baseUrl, paths, pathsBasePath, customConditions };
  } else if (dir !== root && dir.startsWith(root)) {
    options = optionsOf(path.dirname(dir));
  }
  configured.set(dir, options);
  return options;
}

function resolve(name, from, mode) {
  const dir = path.dirname(from);
  const own = within(from);
  const options = own ? optionsOf(dir) : fallback;
  let got = ts.resolveModuleName(name, from, options, ts.sys, undefined, undefined, mode).resolvedModule;
  if (!got && own) got = ofPackage(name);
  if (got && own && /\.d\.[cm]?ts$/.test(got.resolvedFileName)) { // what runs, not what describes it
    const script = got.resolvedFileName.replace(/\.d\.([cm]?)ts$/, ".$1js");
    if (within(script) && fs.existsSync(script)) got = { resolvedFileName: script, extension: path.extname(script) };
  }
  if (!got) { // types of a dependency that stand beside this script
    got = ts.resolveModuleName(name, path.resolve("here.ts"), fallback, ts.sys).resolvedModule;
  }
  return got;
}

// ofPackage finds a package of the checkout among its sources.
function ofPackage(name) {
  const parts = name.split("/");
  const n = name.startsWith("@") ? 2 : 1;
  const dir = packages.get(parts.slice(0, n).join("/"));
  if (!dir) return undefined;
  const rest = parts.slice(n).join("/");
  const tries = rest ? [`src/${rest}`, rest] : ["src/index", "index", "src", "."];
  for (const t of tries) {
    const got = ts.resolveModuleName(path.join(dir, t), path.join(dir, "here.ts"), fallback, ts.sys).resolvedModule;
    if (got && !got.resolvedFileName.endsWith(".json")) return got;
  }
  return undefined;
}

function visit(node, file) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) call(node, file);
  ts.forEachChild(node, (n) => visit(n, file));
}

function call(node, file) {
  let callee = node.expression;
  while (ts.isParenthesizedExpression(callee) || ts.isNonNullExpression(callee) || ts.isExpressionWithTypeArguments(callee)) {
    callee = callee.expression;
  }
  let name = callee;
  if (ts.isPropertyAccessExpression(callee)) name = callee.name;
  if (name.kind === ts.SyntaxKind.ImportKeyword) return;
  if (!ts.isIdentifier(name) && !ts.isPrivateIdentifier(name) && name.kind !== ts.SyntaxKind.SuperKeyword) return;
  if (name.text === "require" && node.arguments?.length === 1 && ts.isStringLiteral(node.arguments[0])) return;
  const found = declarations(name, node);
  const own = found.filter(ofCheckout);
  const targets = distinct(own.filter(holds).map(place));
  const text = name.kind === ts.SyntaxKind.SuperKeyword ? "super" : name.text;
  const fact = { file: relative(file.fileName), line: lineOf(file, name.getStart(file)), name: text };
  if (targets.length > 0) {
    tell({ ...fact, target_file: targets[0].file, target_line: targets[0].line, also: targets.length > 1 ? targets.slice(1) : undefined });
  } else if (own.length > 0) {
    const { file: target_file, line: target_line } = place(own[0]);
    tell({ ...fact, target_file, target_line, dynamic: true });
  } else if (found.length > 0 || foreign(callee)) {
    tell({ ...fact, target_file: "" });
  }
}

function tell(fact) {
  process.stdout.write(JSON.stringify(fact) + "\n");
}

// foreign reports whether an expression begins with a name that nothing in
// the checkout declares: a global of a test runner, an import of a dependency
// that is not there.
function foreign(n) {
  for (;;) {
    if (ts.isPropertyAccessExpression(n) || ts.isElementAccessExpression(n) || ts.isCallExpression(n) || ts.isNewExpression(n) || ts.isNonNullExpression(n) || ts.isAwaitExpression(n) || ts.isParenthesizedExpression(n)) {
      n = n.expression;
      continue;
    }
    break;
  }
  if (!ts.isIdentifier(n)) return false;
  const symbol = checker.getSymbolAtLocation(n);
  if (!symbol) return true;
  if (!(symbol.flags & ts.SymbolFlags.Alias)) return false;
  const target = checker.getAliasedSymbol(symbol);
  return (target.declarations ?? []).every((d) => !ofCheckout(d));
}

// declarations are what the called name stands for, and the function that the
// compiler calls.
function declarations(name, node) {
  const all = new Set();
  let symbol = checker.getSymbolAtLocation(name);
  for (let i = 0; symbol && i < 16; i++) {
    if (symbol.flags & ts.SymbolFlags.Alias) {
      symbol = checker.getAliasedSymbol(symbol);
      continue;
    }
    for (const d of symbol.declarations ?? []) all.add(d);
    const d = symbol.valueDeclaration;
    if (d && ts.isShorthandPropertyAssignment(d)) {
      symbol = checker.getShorthandAssignmentValueSymbol(d);
      continue;
    }
    if (d && ts.isBindingElement(d) && ts.isObjectBindingPattern(d.parent)) { // const { f } = g
      const key = d.propertyName ?? d.name;
      symbol = ts.isIdentifier(key) ? checker.getTypeAtLocation(d.parent).getProperty(key.text) : undefined;
      continue;
    }
    const value = d && initializer(d);
    if (value && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value))) { // const f = g
      symbol = checker.getSymbolAtLocation(ts.isIdentifier(value) ? value : value.name);
      continue;
    }
    break;
  }
  const signature = checker.getResolvedSignature(node)?.declaration;
  if (signature && !ts.isFunctionTypeNode(signature) && !ts.isConstructorTypeNode(signature) && !ts.isCallSignatureDeclaration(signature)) {
    all.add(signature);
  }
  for (const d of [...all]) {
    if (ts.isConstructorDeclaration(d)) all.add(d.parent);
    else if (ts.isFunctionExpression(d) || ts.isArrowFunction(d) || ts.isClassExpression(d)) {
      const holder = outer(d);
      if (holder) all.add(holder);
    }
  }
  return [...all];
}

function initializer(d) {
  return ts.isVariableDeclaration(d) || ts.isPropertyAssignment(d) || ts.isPropertyDeclaration(d) ? d.initializer : undefined;
}

// outer is the declaration whose value a function is, calls and casts around
// it aside.
function outer(fn) {
  let n = fn.parent;
  while (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isCallExpression(n)) n = n.parent;
  return ts.isVariableDeclaration(n) || ts.isPropertyAssignment(n) || ts.isPropertyDeclaration(n) || ts.isBinaryExpression(n) || ts.isExportAssignment(n) ? n : undefined;
}

function within(file) {
  return file.startsWith(root + path.sep) && !file.includes("/node_modules/");
}

function ofCheckout(d) {
  return within(d.getSourceFile().fileName);
}

// holds reports whether a declaration is one that a graph of definitions has.
function holds(d) {
  if (ts.isParameter(d)) return Boolean(ts.getCombinedModifierFlags(d) & ts.ModifierFlags.ParameterPropertyModifier);
  if (ts.isTypeParameterDeclaration(d) || ts.isTypeLiteralNode(d) || ts.isMappedTypeNode(d)) return false;
  if (ts.isVariableDeclaration(d) || ts.isBindingElement(d)) {
    for (let n = d.parent; n; n = n.parent) {
      if (ts.isFunctionLike(n) || ts.isClassStaticBlockDeclaration(n) || ts.isCatchClause(n)) {
        return ts.isVariableDeclaration(d) && Boolean(d.initializer) && isFunction(d.initializer);
      }
    }
  }
  return true;
}

function isFunction(n) {
  while (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n)) n = n.expression;
  return ts.isArrowFunction(n) || ts.isFunctionExpression(n) || ts.isClassExpression(n);
}

function place(d) {
  const file = d.getSourceFile();
  let at = ts.getNameOfDeclaration(d) ?? d;
  if (ts.isConstructorDeclaration(d)) at = d.getFirstToken(file) ?? d;
  if (ts.isBinaryExpression(d)) at = ts.isPropertyAccessExpression(d.left) ? d.left.name : d.left;
  return { file: relative(file.fileName), line: lineOf(file, at.getStart(file)) };
}

function distinct(list) {
  return [...new Map(list.map((t) => [`${t.file}:${t.line}`, t])).values()];
}

function lineOf(file, at) {
  return file.getLineAndCharacterOfPosition(at).line + 1;
}

function relative(name) {
  return path.relative(root, name).split(path.sep).join("/");
}
