// Helpers for old code.

const { inspect } = require("util");

/** Formats it. */
function format(value) { return inspect(value); }
function internal() {}
class Queue { push(x) { this.items.push(x); } }

module.exports = {
  format,
  Line: Queue,
  /** Says whether it is empty. */
  empty(list) { return list.length === 0; },
  first: (list) => list[0],
  lazy: require("./lazy"),
  ...require("./more"),
};
exports.internalName = internal;
exports.helper = function (a) { return internal(a); };
exports.VERSION = "1.0";

if (require.main === module) {
  format();
}
