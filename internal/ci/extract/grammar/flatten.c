#include "flatten.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The functions below are linked into the program by the Go packages of the
// grammars, which grammar.go imports. They are declared here because a Go
// module's headers cannot be included from another one, and weak because
// this package is first linked on its own.
#define LINKED __attribute__((weak)) extern

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef struct {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;
typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;
typedef struct {
  uint32_t row, column;
} TSPoint;

LINKED TSParser *ts_parser_new(void);
LINKED void ts_parser_delete(TSParser *);
LINKED bool ts_parser_set_language(TSParser *, const TSLanguage *);
LINKED void ts_parser_set_timeout_micros(TSParser *, uint64_t);
LINKED TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
LINKED void ts_tree_delete(TSTree *);
LINKED TSNode ts_tree_root_node(const TSTree *);
LINKED uint32_t ts_node_start_byte(TSNode);
LINKED uint32_t ts_node_end_byte(TSNode);
LINKED TSPoint ts_node_start_point(TSNode);
LINKED TSPoint ts_node_end_point(TSNode);
LINKED uint16_t ts_node_symbol(TSNode);
LINKED bool ts_node_is_named(TSNode);
LINKED bool ts_node_is_missing(TSNode);
LINKED TSTreeCursor ts_tree_cursor_new(TSNode);
LINKED void ts_tree_cursor_delete(TSTreeCursor *);
LINKED TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
LINKED uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
LINKED bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
LINKED bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
LINKED bool ts_tree_cursor_goto_parent(TSTreeCursor *);
LINKED const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
LINKED uint32_t ts_language_symbol_count(const TSLanguage *);
LINKED const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
LINKED uint32_t ts_language_field_count(const TSLanguage *);

// The grammars by the names that their functions have, each with a constant
// and an import in grammar.go.
#define GRAMMARS(X) \
  X(c)              \
  X(c_sharp)        \
  X(cpp)            \
  X(elixir)         \
  X(java)           \
  X(javascript)     \
  X(kotlin)         \
  X(ocaml)          \
  X(php)            \
  X(python)         \
  X(ruby)           \
  X(rust)           \
  X(scala)          \
  X(swift)          \
  X(tsx)            \
  X(typescript)

#define DECLARE(name) LINKED const TSLanguage *tree_sitter_##name(void);
GRAMMARS(DECLARE)

const void *flat_language(const char *name) {
#define FIND(known) if (!strcmp(name, #known)) return tree_sitter_##known();
  GRAMMARS(FIND)
  return NULL;
}

const char *flat_symbol_name(const void *l, uint32_t s) { return ts_language_symbol_name(l, s); }
uint32_t flat_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *flat_field_name(const void *l, uint32_t f) { return ts_language_field_name_for_id(l, f); }
uint32_t flat_field_count(const void *l) { return ts_language_field_count(l); }

static bool add(flat_tree *t, uint32_t *room, TSTreeCursor *c, uint32_t parent) {
  if (t->count == *room) {
    uint32_t more = *room * 2;
    flat_node *grown = realloc(t->nodes, (size_t)more * sizeof(flat_node));
    if (!grown) return false;
    t->nodes = grown;
    *room = more;
  }
  TSNode n = ts_tree_cursor_current_node(c);
  flat_node *f = &t->nodes[t->count++];
  f->start = ts_node_start_byte(n);
  f->end = ts_node_end_byte(n);
  f->row = ts_node_start_point(n).row;
  f->end_row = ts_node_end_point(n).row;
  f->next = 0;
  f->parent = parent;
  f->symbol = ts_node_symbol(n);
  f->field = ts_tree_cursor_current_field_id(c);
  f->flags = (ts_node_is_named(n) ? flat_named : 0) | (ts_node_is_missing(n) ? flat_missing : 0);
  return true;
}

static bool flatten(flat_tree *t, TSTree *tree, uint32_t length, uint32_t max_depth) {
  uint32_t room = length / 4 + 64, at = 0, depth = 0;
  t->nodes = malloc((size_t)room * sizeof(flat_node));
  if (!t->nodes) return false;
  TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
  bool ok = add(t, &room, &c, 0);
  while (ok) {
    if (depth < max_depth) {
      if (ts_tree_cursor_goto_first_child(&c)) {
        t->nodes[at].flags |= flat_has_children;
        ok = add(t, &room, &c, at);
        at = t->count - 1;
        depth++;
        continue;
      }
    } else {
      t->nodes[at].flags |= flat_cut;
    }
    bool sibling;
    while (!(sibling = depth > 0 && ts_tree_cursor_goto_next_sibling(&c)) && depth > 0) {
      ts_tree_cursor_goto_parent(&c);
      at = t->nodes[at].parent;
      depth--;
    }
    if (!sibling) break;
    uint32_t parent = t->nodes[at].parent;
    t->nodes[at].next = t->count;
    ok = add(t, &room, &c, parent);
    at = t->count - 1;
  }
  ts_tree_cursor_delete(&c);
  return ok;
}

flat_tree flat_parse(const void *language, const char *source, uint32_t length,
                     uint64_t limit_micros, uint32_t max_depth) {
  flat_tree t = {NULL, 0, flat_ok};
  TSParser *p = ts_parser_new();
  if (!language || !ts_parser_set_language(p, language)) {
    ts_parser_delete(p);
    t.status = flat_bad_language;
    return t;
  }
  ts_parser_set_timeout_micros(p, limit_micros);
  TSTree *tree = ts_parser_parse_string(p, NULL, source, length);
  ts_parser_delete(p);
  if (!tree) {
    t.status = flat_stopped;
    return t;
  }
  if (!flatten(&t, tree, length, max_depth)) t.status = flat_no_memory;
  ts_tree_delete(tree);
  return t;
}
