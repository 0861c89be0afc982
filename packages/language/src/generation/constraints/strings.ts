import { fail } from "@reins/core";
import { expression } from "./expression.ts";
import { count, type SchemaObject } from "./keywords.ts";
import { complement, intersection, pointsOf, type Ranges, union } from "./ranges.ts";
import { anyCharacter, both, either, eitherOf, repeat, sequence, set, type Tree, text } from "./tree.ts";

const quote = text('"');
/** Characters that JSON must escape: quotes, backslashes and control characters. */
const special: Ranges = union([...pointsOf('"\\'), [0, 0x1f]]);
const plain: Ranges = complement(special);

/** JSON strings whose characters form a text of the tree. Each has one spelling, that of `JSON.stringify`. */
export const quoted = (tree: Tree): Tree => sequence(quote, escaped(tree), quote);

/**
 * Replaces sets by the JSON spellings of their characters. No spelling is a prefix of another, so the rest is
 * unchanged.
 */
function escaped(tree: Tree): Tree {
  switch (tree.kind) {
    case "set":
      return escapedSet(tree.ranges);
    case "sequence":
      return { kind: "sequence", parts: tree.parts.map(escaped) };
    case "either":
      return eitherOf(tree.options.map(escaped));
    case "repeat":
      return { ...tree, part: escaped(tree.part) };
    case "product":
      return { ...tree, left: escaped(tree.left), right: escaped(tree.right) };
    case "rule":
      return { ...tree, tree: () => escaped(tree.tree()) };
  }
}

function escapedSet(ranges: Ranges): Tree {
  const own = set(intersection(ranges, plain));
  const spellings: string[] = [];
  for (const [first, last] of intersection(ranges, special))
    for (let point = first; point <= last; point++)
      spellings.push(JSON.stringify(String.fromCodePoint(point)).slice(1, -1));
  if (!spellings.length) return own;
  // Spellings that differ in the last letter only become a text and a set.
  const lasts = new Map<string, string>();
  for (const s of spellings) lasts.set(s.slice(0, -1), (lasts.get(s.slice(0, -1)) ?? "") + s.slice(-1));
  return either(own, ...[...lasts].map(([start, ends]) => sequence(text(start), set(pointsOf(ends)))));
}

/** The strings that a schema allows. */
export function stringTree(schema: SchemaObject, at: string): Tree {
  const least = count(schema, "minLength", 0, at);
  const most = count(schema, "maxLength", Number.POSITIVE_INFINITY, at);
  const length = repeat(anyCharacter, least, most);
  if (schema.pattern === undefined) return quoted(length);
  if (typeof schema.pattern !== "string") fail(at, '"pattern" must be a string.');
  const pattern = expression(schema.pattern as string, { within: true });
  return quoted(least > 0 || most < Number.POSITIVE_INFINITY ? both(pattern, length) : pattern);
}
