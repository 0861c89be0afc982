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
 * A regular expression as a tree. It has the syntax of JavaScript's flag `u`, without features that have no finite
 * automaton or do not affect which texts match. A text matches as a whole, or with `within` if some part of it does.
 */
export function expression(source: string | RegExp, options: { within?: boolean } = {}): Tree {
  const { within = false } = options;
  const [pattern, flags] = typeof source === "string" ? [source, ""] : [source.source, source.flags];
  const where = `expression /${pattern}/${flags}`;
  for (const flag of flags)
    if (!"dgsuy".includes(flag))
      fail(where, `the flag ${flag} is not supported. Write the characters out as classes.`);
  try {
    // After this check, whatever the parser below rejects is valid syntax that is not supported.
    new RegExp(pattern, "u");
  } catch (error) {
    fail(where, `it is not valid with the flag u (${(error as Error).message}).`);
  }
  const dot = flags.includes("s") ? anyCharacter : set(complement(lineEnds));
  return new Parser([...pattern], { where, within, dot }).alternatives(true);
}

/** Settings of a parser: its name in errors, whether a part may match, and the meaning of a dot. */
interface Reading {
  readonly where: string;
  readonly within: boolean;
  readonly dot: Tree;
}

/** Parses an expression from left to right; it is known to be well-formed. */
class Parser {
  private readonly characters: readonly string[];
  private readonly where: string;
  private readonly within: boolean;
  private readonly dot: Tree;
  private at = 0;

  constructor(characters: readonly string[], { where, within, dot }: Reading) {
    this.characters = characters;
    this.where = where;
    this.within = within;
    this.dot = dot;
  }

  alternatives(outside: boolean): Tree {
    const options = [this.alternative(outside)];
    while (this.takes("|")) options.push(this.alternative(outside));
    return options.length === 1 ? options[0] : either(...options);
  }

  private alternative(outside: boolean): Tree {
    const parts: Tree[] = [];
    const begins = outside && this.takes("^");
    let ends = false;
    while (this.at < this.characters.length && !"|)".includes(this.characters[this.at])) {
      ends = outside && this.takes("$");
      if (ends && this.at < this.characters.length && this.characters[this.at] !== "|")
        this.refuse("$ before the end", "It is allowed only at the very end.");
      if (!ends) parts.push(this.counted(this.atom()));
    }
    if (outside && this.within && !begins) parts.unshift(repeat(anyCharacter));
    if (outside && this.within && !ends) parts.push(repeat(anyCharacter));
    return parts.length === 1 ? parts[0] : sequence(...parts);
  }

  private atom(): Tree {
    const c = this.characters[this.at++];
    if (c === "(") return this.group();
    if (c === "[") return set(this.bracketed());
    if (c === ".") return this.dot;
    if (c === "\\") return set(this.escaped());
    if (c === "^" || c === "$")
      return this.refuse(`${c} inside`, "It is allowed only at the very beginning or end.");
    return set(pointsOf(c));
  }

  private group(): Tree {
    if (this.takes("?=") || this.takes("?!") || this.takes("?<=") || this.takes("?<!"))
      this.refuse("lookaround, (?=…),");
    if (this.takes("?<")) this.through(">");
    else if (this.takes("?") && !this.takes(":")) this.refuse("a group with flags, (?i:…)");
    const inner = this.alternatives(false);
    this.at++;
    return inner;
  }

  private counted(part: Tree): Tree {
    let [least, most] = [1, 1];
    if (this.takes("*")) [least, most] = [0, Number.POSITIVE_INFINITY];
    else if (this.takes("+")) most = Number.POSITIVE_INFINITY;
    else if (this.takes("?")) least = 0;
    else if (this.takes("{")) {
      const [from, to = from] = this.through("}").split(",");
      [least, most] = [Number(from), to === "" ? Number.POSITIVE_INFINITY : Number(to)];
    } else return part;
    if (this.takes("?"))
      this.refuse("a lazy quantifier, as in a*?", "Remove the ?: the same texts match as a whole.");
    return least === 1 && most === 1 ? part : most === 0 ? empty : repeat(part, least, most);
  }

  private bracketed(): Ranges {
    const negated = this.takes("^");
    const pairs: (readonly [number, number])[] = [];
    while (!this.takes("]")) {
      const first = this.member();
      // A dash before the end is a literal dash.
      if (this.characters[this.at] !== "-" || this.characters[this.at + 1] === "]") pairs.push(...first);
      else {
        this.at++;
        pairs.push([first[0][0], this.member()[0][0]]);
      }
    }
    return negated ? complement(union(pairs)) : union(pairs);
  }

  private member(): Ranges {
    const c = this.characters[this.at++];
    return c !== "\\" ? pointsOf(c) : this.takes("b") ? pointsOf("\b") : this.escaped();
  }

  private hexadecimal(length: number): number {
    this.at += length;
    return Number.parseInt(this.characters.slice(this.at - length, this.at).join(""), 16);
  }

  private unicode(): number {
    if (this.takes("{")) return Number.parseInt(this.through("}"), 16);
    const high = this.hexadecimal(4);
    const pair = high >= 0xd800 && high < 0xdc00 && this.takes("\\u");
    return pair ? 0x10000 + ((high - 0xd800) << 10) + (this.hexadecimal(4) - 0xdc00) : high;
  }

  private escaped(): Ranges {
    const c = this.characters[this.at++];
    if (classes[c]) return classes[c];
    if (controls[c]) return pointsOf(controls[c]);
    if (c === "x" || c === "u") {
      const point = c === "x" ? this.hexadecimal(2) : this.unicode();
      return union([[point, point]]);
    }
    if (c === "c") {
      const control = this.characters[this.at++].charCodeAt(0) % 32;
      return union([[control, control]]);
    }
    if (/[1-9k]/.test(c)) this.refuse(`a backreference, \\${c},`);
    if (/[bB]/.test(c)) this.refuse(`a word boundary, \\${c},`);
    if (/[pP]/.test(c)) this.refuse(`a Unicode property, \\${c}{…},`, "Use a character class.");
    return pointsOf(c);
  }

  private takes(expected: string): boolean {
    const found = [...expected].every((c, i) => this.characters[this.at + i] === c);
    if (found) this.at += expected.length;
    return found;
  }

  private through(last: string): string {
    const from = this.at;
    this.at = this.characters.indexOf(last, this.at) + 1;
    return this.characters.slice(from, this.at - 1).join("");
  }

  private refuse(what: string, instead = ""): never {
    return fail(this.where, `${what} is not supported. ${instead}`.trim());
  }
}
