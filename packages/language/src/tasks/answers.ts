import type { Verification } from "./text-task.ts";

const around = " \t\r\n";

/**
 * Strips surrounding spaces and newlines, which models write around answers. Only ASCII ones: other Unicode spaces
 * are look-alikes. A loop, because a regular expression for trailing spaces is quadratic.
 */
export function stripped(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && around.includes(text[from])) from++;
  while (to > from && around.includes(text[to - 1])) to--;
  return text.slice(from, to);
}

/**
 * An integer in canonical form, without leading zeros and negative zero; undefined if the text is not an integer.
 * Numbers are compared as text: time stays linear in the digits.
 */
export function whole(text: string): string | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^-?0*/, "");
  return digits === "" ? "0" : text[0] === "-" ? `-${digits}` : digits;
}

/** Integers separated by commas; undefined if the text is not such a list or has more than `most` entries. */
export function wholes(text: string, most: number): string[] | undefined {
  const parts = text.split(",", most + 1);
  if (parts.length > most) return undefined;
  const numbers = parts.map(whole);
  return numbers.every((x) => x !== undefined) ? (numbers as string[]) : undefined;
}

/** A verdict of right or wrong, without partial credit. */
export const verdict = (right: boolean, formed: boolean, why: string): Verification =>
  right ? { score: 1, wellFormed: true } : { score: 0, wellFormed: formed, why };
