import type { Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { scalarType } from "../native/names.ts";

/**
 * Items whose loads wait together. A thread that stores one item before it loads the next waits for memory once per item, because the compiler
 * cannot know that the store does not change what is loaded next. So a thread computes several items, then stores them all.
 */
export interface Ahead extends Straight {
  /** Number of items. */
  readonly several: number;
}

/** A body without loops and branches whose loads come before its stores. */
export interface Straight {
  readonly values: readonly Stmt[];
  readonly stores: readonly Store[];
  /** Values that the stores read. */
  readonly held: readonly Value[];
}

export type Store = Extract<Stmt, { kind: "store" }>;

const mostStatements = 200;
/** Items by the maximum number of loads of each: more would need too many registers. */
const severals = [
  { loads: 4, several: 4 },
  { loads: 8, several: 2 },
];

/** The parts of a straight body; undefined for others. With `sums`, values may be added to accumulators, in the order of the body. */
export function straight(body: readonly Stmt[], sums = false): Straight | undefined {
  const values: Stmt[] = [];
  const stores: Store[] = [];
  const own = new Map<number, Value>();
  for (const s of body) {
    if (s.kind === "store") stores.push(s);
    else if (s.kind === "assign" && sums) values.push(s);
    else if (s.kind === "let" || (s.kind === "load" && stores.length === 0)) {
      values.push(s);
      own.set(s.result.id, s.result);
    } else return undefined;
  }
  const writes = stores.length > 0 || values.some((s) => s.kind === "assign");
  if (!writes || body.length > mostStatements) return undefined;
  const read: Operand[] = stores.flatMap((s) => [s.value, ...(s.index.dynamic ?? []).map((d) => d.value)]);
  return {
    values,
    stores,
    held: [...new Set(read.flatMap((x) => ("id" in x ? (own.get(x.id) ?? []) : [])))],
  };
}

/** The parts of a straight body, of which a thread does several items at once; undefined for others. */
export function aheadOf(body: readonly Stmt[]): Ahead | undefined {
  const parts = straight(body);
  const loads = body.filter((s) => s.kind === "load").length;
  const several = severals.find((x) => loads <= x.loads)?.several;
  return parts && several && loads > 0 ? { ...parts, several } : undefined;
}

/**
 * A loop over the items from `first` to `end`, `step` apart. `name` is the item's variable, of C type `type`; `before` are lines that both
 * parts need, and `write` gives the text of statements.
 */
export function aheadLoop(
  { values, stores, held, several }: Ahead,
  item: { readonly name: string; readonly type: string; readonly before: readonly string[] },
  range: { readonly first: string; readonly end: string; readonly step: string },
  write: (list: readonly Stmt[]) => readonly string[],
): readonly string[] {
  const { name, type, before } = item;
  const each = `_Pragma("unroll") for (i32 u = 0; u < ${several}; u++) { const ${type} at = begin + u * step`;
  return [
    `{ const ${type} end = ${range.end}, step = ${range.step};`,
    `for (${type} begin = ${range.first}; begin < end; begin += ${several} * step) {`,
    ...held.map((v) => `${scalarType[v.type]} h${v.id}[${several}];`),
    // Past the end the first item is computed again, so that no branch separates the loads.
    `${each}, ${name} = at < end ? at : begin;`,
    ...before,
    ...write(values),
    ...held.map((v) => `h${v.id}[u] = v${v.id};`),
    "}",
    `${each}, ${name} = at; if (at < end) {`,
    ...before,
    ...held.map((v) => `const ${scalarType[v.type]} v${v.id} = h${v.id}[u];`),
    ...write(stores),
    "}}",
    "}}",
  ];
}
