import { everything, pointsOf, type Ranges } from "./ranges.ts";

/** What a text may look like. A tree may use another in several places, and itself through {@link rule}. */
export type Tree =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "either"; readonly options: readonly Tree[] }
  | { readonly kind: "repeat"; readonly part: Tree; readonly least: number; readonly most: number }
  | Product
  | Production;

/** Texts of `left` that are texts of `right` as well, or that are none of them. */
export interface Product {
  readonly kind: "product";
  readonly left: Tree;
  readonly right: Tree;
  readonly keep: "both" | "left";
}

/** A tree that is read when it is needed, and once: so it can contain itself. */
export interface Production {
  readonly kind: "rule";
  readonly tree: () => Tree;
  /** What entering it counts towards the depth that is allowed. */
  readonly level: 0 | 1;
}

/** One character of a set. */
export const set = (ranges: Ranges): Tree => ({ kind: "set", ranges });
/** One character, whichever. */
export const anyCharacter = set(everything);
/** One of the characters of a text. */
export const among = (characters: string): Tree => set(pointsOf(characters));
/** One after the other. */
export const sequence = (...parts: Tree[]): Tree => ({ kind: "sequence", parts });
/** Exactly this text. */
export const text = (exactly: string): Tree => ({ kind: "sequence", parts: [...exactly].map(among) });
/** One of several; of none, nothing at all. */
export const either = (...options: Tree[]): Tree => eitherOf(options);
/** The same from a list, which may be longer than a call may have arguments. */
export const eitherOf = (options: readonly Tree[]): Tree => ({ kind: "either", options });
/** From `least` to `most` times, without end if `most` is not given. */
export const repeat = (part: Tree, least = 0, most = Number.POSITIVE_INFINITY): Tree => ({
  kind: "repeat",
  part,
  least,
  most,
});
/** Once or not at all. */
export const optional = (part: Tree): Tree => repeat(part, 0, 1);
/** Texts of both. Neither may contain itself. */
export const both = (left: Tree, right: Tree): Tree => ({ kind: "product", left, right, keep: "both" });
/** Texts of the first that are none of the second. Neither may contain itself. */
export const except = (left: Tree, right: Tree): Tree => ({ kind: "product", left, right, keep: "left" });
/** A tree that may contain itself, but not begin with itself. With `level` 1, entering it is limited by the depth that is allowed. */
export const rule = (tree: () => Tree, level: 0 | 1 = 0): Tree => ({ kind: "rule", tree, level });
/** The text of no characters. */
export const empty = sequence();
/** No text, not even the empty one. */
export const nothing = either();
