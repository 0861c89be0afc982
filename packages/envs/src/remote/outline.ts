import { type DType, Tensor, type Tree, zeros } from "@reins/tensor";

/** A tree of columns as plain data, without its numbers. */
export type Outline =
  | { readonly column: readonly [dtype: DType, ...shape: number[]] }
  | { readonly parts: readonly Outline[] }
  | { readonly named: { readonly [name: string]: Outline } };

/** The outline of a tree of columns. */
export function outlineOf(tree: Tree): Outline {
  if (tree instanceof Tensor) return { column: [tree.dtype, ...tree.shape] };
  if (Array.isArray(tree)) return { parts: tree.map(outlineOf) };
  const named = Object.entries(tree as { readonly [name: string]: Tree });
  return { named: Object.fromEntries(named.map(([name, part]) => [name, outlineOf(part)])) };
}

/** Zero columns of an outline, with another number of rows. */
export function columnsLike(outline: Outline, rows: number): Tree {
  if ("column" in outline) {
    const [dtype, , ...shape] = outline.column;
    return zeros([rows, ...shape], dtype);
  }
  if ("parts" in outline) return outline.parts.map((part) => columnsLike(part, rows));
  const named = Object.entries(outline.named);
  return Object.fromEntries(named.map(([name, part]) => [name, columnsLike(part, rows)]));
}
