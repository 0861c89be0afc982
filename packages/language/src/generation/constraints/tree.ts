import { everything, pointsOf, type Ranges } from "./ranges.ts";

/** A grammar. A tree may be used in several places, and contain itself through {@link rule}. */
export type Tree =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "either"; readonly options: readonly Tree[] }
  | { readonly kind: "repeat"; readonly part: Tree; readonly least: number; readonly most: number }
  | Product
  | Production;

/** Texts of `left` that are also texts of `right` (intersection), or that are not (difference). */
export interface Product {
  readonly kind: "product";
  readonly left: Tree;
  readonly right: Tree;
  readonly keep: "both" | "left";
}

/** A lazily evaluated tree, so that it can contain itself. */
export interface Production {
  readonly kind: "rule";
  readonly tree: () => Tree;
  /** How much entering it adds to the depth. */
  readonly level: 0 | 1;
}

/** One character of a set. */
export const set = (ranges: Ranges): Tree => ({ kind: "set", ranges });
/** Any character. */
export const anyCharacter = set(everything);
/** One of the characters of a text. */
export const among = (characters: string): Tree => set(pointsOf(characters));
/** Concatenation. */
export const sequence = (...parts: Tree[]): Tree => ({ kind: "sequence", parts });
/** Exactly this text. */
export const text = (exactly: string): Tree => ({ kind: "sequence", parts: [...exactly].map(among) });
/** Alternatives; without options, no text. */
export const either = (...options: Tree[]): Tree => eitherOf(options);
/** Alternatives from a list, which may exceed the argument limit of a call. */
export const eitherOf = (options: readonly Tree[]): Tree => ({ kind: "either", options });
/** From `least` to `most` times (default: unlimited). */
export const repeat = (part: Tree, least = 0, most = Number.POSITIVE_INFINITY): Tree => ({
  kind: "repeat",
  part,
  least,
  most,
});
/** Once or not at all. */
export const optional = (part: Tree): Tree => repeat(part, 0, 1);
/** Intersection. Neither tree may be recursive. */
export const both = (left: Tree, right: Tree): Tree => ({ kind: "product", left, right, keep: "both" });
/** Difference: texts of the first that are not texts of the second. Neither tree may be recursive. */
export const except = (left: Tree, right: Tree): Tree => ({ kind: "product", left, right, keep: "left" });
/** A tree that may be recursive, but not left-recursive. With `level` 1, its nesting is limited by the depth. */
export const rule = (tree: () => Tree, level: 0 | 1 = 0): Tree => ({ kind: "rule", tree, level });
/** The empty text. */
export const empty = sequence();
/** No text, not even the empty one. */
export const nothing = either();
