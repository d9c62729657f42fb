// A syntax tree as one array, in pre-order, so that Go reads it without a
// call into C for every node.

#include <stdint.h>

typedef struct {
  uint32_t start, end;   // bytes
  uint32_t row, end_row; // from 0
  uint32_t next;         // index of the next sibling, 0: none
  uint32_t parent;       // index of the parent
  uint16_t symbol;
  uint16_t field;        // of the parent, 0: none
  uint32_t flags;
} flat_node;

enum { flat_named = 1, flat_missing = 2, flat_has_children = 4, flat_cut = 8 };

typedef struct {
  flat_node *nodes;
  uint32_t count;
  uint32_t status;
} flat_tree;

enum { flat_ok = 0, flat_no_memory = 1, flat_bad_language = 2, flat_stopped = 3 };

// flat_parse parses source and flattens its tree down to max_depth levels.
// The caller frees nodes.
flat_tree flat_parse(const void *language, const char *source, uint32_t length,
                     uint64_t limit_micros, uint32_t max_depth);

const char *flat_symbol_name(const void *language, uint32_t symbol);
uint32_t flat_symbol_count(const void *language);
const char *flat_field_name(const void *language, uint32_t field);
uint32_t flat_field_count(const void *language);

// flat_language finds a grammar by name; NULL when there is none.
const void *flat_language(const char *name);
