import { decimals } from "./numbers.ts";
import { quoted } from "./strings.ts";
import { anyCharacter, either, empty, optional, repeat, rule, sequence, type Tree, text } from "./tree.ts";

/** JSON formatting. */
export interface Notation {
  /** Allows one blank after each colon and comma (default false). */
  readonly blanks?: boolean;
}

/** A named member of an object. */
export interface Member {
  readonly name: string;
  readonly value: Tree;
  readonly required: boolean;
}

/** Trees of JSON values from trees of their parts. */
export function jsonTrees({ blanks = false }: Notation) {
  const blank = blanks ? optional(text(" ")) : empty;
  const comma = sequence(text(","), blank);
  const anyString = quoted(repeat(anyCharacter));
  const pair = (key: Tree, value: Tree): Tree => sequence(key, text(":"), blank, value);

  /** The items of `prefix` in order, then any number of `rest`; from `least` to `most` in total. */
  const array = (prefix: readonly Tree[], rest: Tree | undefined, least: number, most: number): Tree => {
    const listed = prefix.slice(0, most);
    if (!listed.length && rest && most > 0) listed.push(rest);
    const [fewer, more] = [Math.max(0, least - listed.length), rest ? most - listed.length : 0];
    let inner = repeat(rest ? sequence(comma, rest) : empty, fewer, more);
    if (!listed.length) inner = repeat(empty, least, 0);
    for (let i = listed.length - 1; i >= 0; i--) {
      const here = sequence(i ? comma : empty, listed[i], inner);
      inner = i < least ? here : optional(here);
    }
    return sequence(text("["), inner, text("]"));
  };

  /** The members in order, of which only required ones must be present, then any number of `others`. */
  const object = (members: readonly Member[], others?: { key: Tree; value: Tree }): Tree => {
    const other = others && pair(others.key, others.value);
    // The continuation after an earlier member, and at the beginning.
    let behind = other ? repeat(sequence(comma, other)) : empty;
    let first = other ? optional(sequence(other, behind)) : empty;
    for (const { name, value, required } of [...members].reverse()) {
      const member = pair(text(JSON.stringify(name)), value);
      const here = sequence(member, behind);
      first = required ? here : either(here, first);
      const next = sequence(comma, member);
      behind = sequence(required ? next : optional(next), behind);
    }
    return sequence(text("{"), first, text("}"));
  };

  /** Exactly this value. */
  const constant = (value: unknown): Tree =>
    Array.isArray(value)
      ? array(value.map(constant), undefined, value.length, value.length)
      : typeof value === "object" && value !== null
        ? object(Object.entries(value).map(([name, v]) => ({ name, value: constant(v), required: true })))
        : text(JSON.stringify(value));

  const anyNumber = rule(() => decimals({}));

  /** Any value. */
  const anything: Tree = rule(
    () =>
      either(
        anyString,
        anyNumber,
        either(...["true", "false", "null"].map(text)),
        array([], anything, 0, Number.POSITIVE_INFINITY),
        object([], { key: anyString, value: anything }),
      ),
    1,
  );

  return { array, object, constant, anything, anyString };
}
