import type { Numbers } from "./numbers.ts";

export function erf(x: number): number {
  const z = Math.abs(x);
  const t = 1 / (1 + z / 2);
  const terms = [
    1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const power = terms.reduceRight((total, c) => c + t * total, 0);
  const rest = t * Math.exp(-z * z - 1.26551223 + t * power);
  return x >= 0 ? 1 - rest : rest - 1;
}

export function even(x: number): number {
  const near = Math.round(x);
  return Math.abs(x % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

export function put(out: Numbers, value: unknown, name: string): void {
  let at = 0;
  const visit = (v: unknown): void => {
    if (typeof v === "object" && v !== null && "length" in v) {
      for (let i = 0; i < Number(v.length); i++) visit((v as ArrayLike<unknown>)[i]);
      return;
    }
    const x = typeof v === "boolean" ? Number(v) : v;
    if (typeof x !== "number" || Number.isNaN(x))
      throw new TypeError(`act: ${name} contains ${v}, which is not a number.`);
    if (at < out.length) out[at] = x;
    at++;
  };
  visit(value);
  if (at !== out.length) throw new RangeError(`act: ${name} has ${at} numbers, expected ${out.length}.`);
}

export function allow(out: Numbers, given: unknown, sizes: readonly number[], how: string): void {
  const isList = (x: unknown): x is ArrayLike<unknown> =>
    typeof x === "object" && x !== null && "length" in x;
  const mask = isList(given) ? given : (given as { mask?: unknown } | null)?.mask;
  if (!isList(mask))
    throw new TypeError(`act: missing mask with an entry (1 or 0) for each choice. Call ${how}.`);
  if (mask.length !== out.length)
    throw new RangeError(`act: mask has ${mask.length} entries, expected ${out.length}.`);
  let at = 0;
  sizes.forEach((size, choice) => {
    let allowed = 0;
    for (const end = at + size; at < end; at++) allowed += out[at] = mask[at] ? 1 : 0;
    if (allowed === 0)
      throw new RangeError(
        `act: the mask allows no ${sizes.length > 1 ? `option of choice ${choice}` : "action"}.`,
      );
  });
}
