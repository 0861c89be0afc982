import { didYouMean, fail } from "./errors.ts";

/** The names of all parts of a loop. */
export type PartNames<P> = { readonly [K in keyof Required<P>]: true };

const loops = new WeakMap<object, object>();

/** Declares the names of all parts of a loop, so that variants with others are refused. */
export function nameParts(loop: object, names: object): void {
  loops.set(loop, names);
}

/**
 * Throws on a replaced part that neither the loop nor the method has, which would be ignored. Some methods pass their options on among
 * the parts: an option is not a part.
 */
export function checkPartNames(
  name: string,
  parts: object,
  {
    method,
    options,
    loop,
  }: { readonly method: unknown; readonly options: object; readonly loop: object | undefined },
): void {
  const names = loop && loops.get(loop);
  if (!names) return;
  const base = method as Readonly<Record<string, unknown>>;
  const unknown = Object.entries(parts).find(
    ([part, value]) =>
      !Object.hasOwn(names, part) &&
      (!Object.hasOwn(base, part) || (Object.hasOwn(options, part) && value !== base[part])),
  )?.[0];
  if (unknown === undefined) return;
  const known = Object.keys(names);
  fail(name, `unknown part ${unknown}.${didYouMean(unknown, known) || ` Parts: ${known.join(", ")}.`}`);
}
