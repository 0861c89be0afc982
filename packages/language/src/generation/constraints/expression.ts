import { fail } from "@reins/core";
import { complement, pointsOf, type Ranges, union } from "./ranges.ts";
import { anyCharacter, either, empty, repeat, sequence, set, type Tree } from "./tree.ts";

const digits: Ranges = union([[0x30, 0x39]]);
const word: Ranges = union([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const space: Ranges = union([
  ...pointsOf("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"),
  [0x2000, 0x200a],
]);
const classes: { readonly [letter: string]: Ranges } = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};
const controls: { readonly [letter: string]: string } = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  f: "\f",
  0: "\0",
};
const lineEnds = pointsOf("\n\r\u2028\u2029");

/**
 * A regular expression as a tree. It is read as JavaScript reads it with the flag `u`, less what has no finite automaton or changes nothing
 * about which texts match. A text matches as a whole, or with `within` if some part of it does.
 */
export function expression(source: string | RegExp, options: { within?: boolean } = {}): Tree {
  const { within = false } = options;
  const [pattern, flags] = typeof source === "string" ? [source, ""] : [source.source, source.flags];
  const where = `expression /${pattern}/${flags}`;
  const refuse = (what: string, instead = ""): never =>
    fail(where, `${what} is not supported. ${instead}`.trim());
  for (const flag of flags)
    if (!"dgsuy".includes(flag)) refuse(`the flag ${flag}`, "Write the characters out as classes.");
  try {
    // What the parser below does not know is then a thing of the language, and no slip of the pen.
    new RegExp(pattern, "u");
  } catch (error) {
    fail(where, `it cannot be read with the flag u (${(error as Error).message}).`);
  }
  const dot = flags.includes("s") ? anyCharacter : set(complement(lineEnds));
  const characters = [...pattern];
  let at = 0;
  const takes = (expected: string): boolean => {
    const found = [...expected].every((c, i) => characters[at + i] === c);
    if (found) at += expected.length;
    return found;
  };
  const through = (last: string): string => {
    const from = at;
    at = characters.indexOf(last, at) + 1;
    return characters.slice(from, at - 1).join("");
  };

  const alternatives = (outside: boolean): Tree => {
    const options = [alternative(outside)];
    while (takes("|")) options.push(alternative(outside));
    return options.length === 1 ? options[0] : either(...options);
  };

  const alternative = (outside: boolean): Tree => {
    const parts: Tree[] = [];
    const begins = outside && takes("^");
    let ends = false;
    while (at < characters.length && !"|)".includes(characters[at])) {
      ends = outside && takes("$");
      if (ends && at < characters.length && characters[at] !== "|")
        refuse("$ before the end", "It may stand at the very end alone.");
      if (!ends) parts.push(counted(atom()));
    }
    if (outside && within && !begins) parts.unshift(repeat(anyCharacter));
    if (outside && within && !ends) parts.push(repeat(anyCharacter));
    return parts.length === 1 ? parts[0] : sequence(...parts);
  };

  const atom = (): Tree => {
    const c = characters[at++];
    if (c === "(") return group();
    if (c === "[") return set(bracketed());
    if (c === ".") return dot;
    if (c === "\\") return set(escaped());
    if (c === "^" || c === "$")
      return refuse(`${c} inside`, "It may stand at the very beginning or end alone.");
    return set(pointsOf(c));
  };

  const group = (): Tree => {
    if (takes("?=") || takes("?!") || takes("?<=") || takes("?<!")) refuse("looking ahead or behind, (?=…)");
    if (takes("?<")) through(">");
    else if (takes("?") && !takes(":")) refuse("a group with flags, (?i:…)");
    const inner = alternatives(false);
    at++;
    return inner;
  };

  const counted = (part: Tree): Tree => {
    let [least, most] = [1, 1];
    if (takes("*")) [least, most] = [0, Number.POSITIVE_INFINITY];
    else if (takes("+")) most = Number.POSITIVE_INFINITY;
    else if (takes("?")) least = 0;
    else if (takes("{")) {
      const [from, to = from] = through("}").split(",");
      [least, most] = [Number(from), to === "" ? Number.POSITIVE_INFINITY : Number(to)];
    } else return part;
    if (takes("?"))
      refuse("a lazy quantifier, as in a*?", "Leave its ? away: the same texts match as a whole.");
    return least === 1 && most === 1 ? part : most === 0 ? empty : repeat(part, least, most);
  };

  const bracketed = (): Ranges => {
    const negated = takes("^");
    const pairs: (readonly [number, number])[] = [];
    while (!takes("]")) {
      const first = member();
      // A dash before the end stands for itself.
      if (characters[at] !== "-" || characters[at + 1] === "]") pairs.push(...first);
      else {
        at++;
        pairs.push([first[0][0], member()[0][0]]);
      }
    }
    return negated ? complement(union(pairs)) : union(pairs);
  };

  const member = (): Ranges => {
    const c = characters[at++];
    return c !== "\\" ? pointsOf(c) : takes("b") ? pointsOf("\b") : escaped();
  };

  const hexadecimal = (length: number): number => {
    at += length;
    return Number.parseInt(characters.slice(at - length, at).join(""), 16);
  };

  const unicode = (): number => {
    if (takes("{")) return Number.parseInt(through("}"), 16);
    const high = hexadecimal(4);
    const pair = high >= 0xd800 && high < 0xdc00 && takes("\\u");
    return pair ? 0x10000 + ((high - 0xd800) << 10) + (hexadecimal(4) - 0xdc00) : high;
  };

  const escaped = (): Ranges => {
    const c = characters[at++];
    if (classes[c]) return classes[c];
    if (controls[c]) return pointsOf(controls[c]);
    if (c === "x" || c === "u") {
      const point = c === "x" ? hexadecimal(2) : unicode();
      return union([[point, point]]);
    }
    if (c === "c") return union([[characters[at].charCodeAt(0) % 32, characters[at++].charCodeAt(0) % 32]]);
    if (/[1-9k]/.test(c)) refuse(`a reference back, \\${c}`);
    if (/[bB]/.test(c)) refuse(`a border of words, \\${c}`);
    if (/[pP]/.test(c)) refuse(`a property, \\${c}{…}`, "Write a class of characters.");
    return pointsOf(c);
  };

  return alternatives(true);
}
