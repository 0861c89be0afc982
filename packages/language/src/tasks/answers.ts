import type { Verification } from "./family.ts";

const around = " \t\r\n";

/**
 * Without the spaces and line ends around it, which models write before and after answers. Only the ASCII ones: the rest of
 * Unicode's spaces are look-alikes. A loop, because a regular expression that looks for spaces at the end is quadratic.
 */
export function stripped(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && around.includes(text[from])) from++;
  while (to > from && around.includes(text[to - 1])) to--;
  return text.slice(from, to);
}

/**
 * A whole number as it is usually written, without leading zeros and negative zero; undefined if the text is no number.
 * Numbers are compared as text: the time stays linear in the digits, however many there are.
 */
export function whole(text: string): string | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^-?0*/, "");
  return digits === "" ? "0" : text[0] === "-" ? `-${digits}` : digits;
}

/** Whole numbers with commas between them; undefined if the text is no such list or has more than `most` of them. */
export function wholes(text: string, most: number): string[] | undefined {
  const parts = text.split(",", most + 1);
  if (parts.length > most) return undefined;
  const numbers = parts.map(whole);
  return numbers.every((x) => x !== undefined) ? (numbers as string[]) : undefined;
}

/** The verdict where nothing lies between right and wrong. */
export const verdict = (right: boolean, formed: boolean, why: string): Verification =>
  right ? { score: 1, formed: true } : { score: 0, formed, why };
