import type { Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { memoryType, scalarType } from "../native/names.ts";
import { type Store, straight } from "./ahead.ts";

/** Adjacent elements that a thread loads and stores at once. */
export const together = 4;

type Load = Extract<Stmt, { kind: "load" }>;

/** A body whose iterations of one variable can be done `together`, because most of its loads and stores move with that variable. */
export interface Adjacent {
  readonly variable: Value;
  /** What is the same for all iterations. */
  readonly common: readonly Stmt[];
  readonly wideLoads: readonly Load[];
  /** What each iteration computes. */
  readonly each: readonly Stmt[];
  readonly wideStores: readonly Store[];
  readonly otherStores: readonly Store[];
  /** Values that stores read. */
  readonly held: readonly Value[];
}

/**
 * The parts of a straight body, by its innermost variable; undefined if it has branches, loops, or nothing to gain. With `sums`, terms may be
 * added in any order.
 */
export function adjacentOf(body: readonly Stmt[], variable: Value, sums = false): Adjacent | undefined {
  const parts = straight(body, sums);
  if (!parts) return undefined;
  const varying = new Set([variable.id]);
  for (const s of body) if (s.kind === "assign") varying.add(s.variable.id);
  const varies = (x: Operand) => "id" in x && varying.has(x.id);
  const coefficientOf = ({ terms }: Index) =>
    terms.reduce((n, t) => (t.variable.id === variable.id ? n + t.coefficient : n), 0);
  /** Whether elements of consecutive iterations are adjacent, from a multiple of `together` on. */
  const isWide = (index: Index) =>
    coefficientOf(index) === 1 &&
    index.constant % together === 0 &&
    index.terms.every((t) => t.variable.id === variable.id || t.coefficient % together === 0) &&
    (index.dynamic ?? []).every((d) => !varies(d.value) && d.coefficient % together === 0);
  const common: Stmt[] = [];
  const wideLoads: Load[] = [];
  const each: Stmt[] = [];
  for (const s of parts.values) {
    if (s.kind === "load" && isWide(s.index)) {
      wideLoads.push(s);
      varying.add(s.result.id);
      continue;
    }
    const moves =
      s.kind === "assign" ||
      (s.kind === "let"
        ? s.args.some(varies)
        : s.kind === "load" &&
          (coefficientOf(s.index) !== 0 || (s.index.dynamic ?? []).some((d) => varies(d.value))));
    (moves ? each : common).push(s);
    if (moves && (s.kind === "let" || s.kind === "load")) varying.add(s.result.id);
  }
  const { stores } = parts;
  const wideStores = stores.filter((s) => isWide(s.index));
  if (wideLoads.length + wideStores.length === 0) return undefined;
  return {
    ...{ variable, common, wideLoads, each, wideStores, held: parts.held.filter((v) => varying.has(v.id)) },
    otherStores: stores.filter((s) => !wideStores.includes(s)),
  };
}

/** What writing parts of a kernel needs. */
export interface Writing {
  readonly params: Kernel["params"];
  /** The text of statements. */
  write(list: readonly Stmt[]): readonly string[];
  /** The text of an index. */
  indexText(index: Index): string;
  nameOf(value: Operand): string;
}

/** Whether the memory of all wide loads and stores is aligned. */
export function alignedText({ wideLoads, wideStores }: Adjacent, { params }: Writing): string {
  const used = new Map([...wideLoads, ...wideStores].map((s) => [s.param, sizeOf(params[s.param])]));
  return [...used].map(([p, size]) => `((u64)p${p} & ${size * together - 1}) == 0`).join(" && ");
}

/** The statements of `together` iterations, the first of which has the variable's value. */
export function adjacentText(a: Adjacent, w: Writing): readonly string[] {
  const { variable, common, wideLoads, each, wideStores, otherStores, held } = a;
  const { params } = w;
  const typeOf = (p: number) => `wide<${elementType(params[p])}>`;
  const name = `v${variable.id}`;
  const loop = (body: readonly string[]) => [
    `_Pragma("unroll") for (i32 u = 0; u < ${together}; u++) { const i32 now = ${name} + u; { const i32 ${name} = now;`,
    ...body,
    "}}",
  ];
  const elementOf = (value: Operand) => {
    if (!("id" in value)) return w.nameOf(value);
    if (value.id === variable.id) return `(${name} + u)`;
    return held.some((v) => v.id === value.id) ? `h${value.id}[u]` : w.nameOf(value);
  };
  const valueOf = (s: Store) => (params[s.param].half ? `halved(${elementOf(s.value)})` : elementOf(s.value));
  return [
    ...w.write(common),
    ...wideLoads.map(
      (s) =>
        `const ${typeOf(s.param)} w${s.result.id} = *(const ${typeOf(s.param)} *)(p${s.param} + ${w.indexText(s.index)});`,
    ),
    ...held.map((v) => `${scalarType[v.type]} h${v.id}[${together}];`),
    ...loop([
      ...wideLoads.map((s) => {
        const { half, storage } = params[s.param];
        const element = `w${s.result.id}.e[u]`;
        const value = half ? `widened(${element})` : storage === "bool" ? `${element} != 0` : element;
        return `const ${scalarType[s.result.type]} v${s.result.id} = ${value};`;
      }),
      ...w.write(each),
      ...held.map((v) => `h${v.id}[u] = v${v.id};`),
    ]),
    ...wideStores.flatMap((s) => [
      `{ ${typeOf(s.param)} w; _Pragma("unroll") for (i32 u = 0; u < ${together}; u++) w.e[u] = ${valueOf(s)};`,
      `*(${typeOf(s.param)} *)(p${s.param} + ${w.indexText(s.index)}) = w; }`,
    ]),
    ...(otherStores.length > 0
      ? loop([
          ...held.map((v) => `const ${scalarType[v.type]} v${v.id} = h${v.id}[u];`),
          ...w.write(otherStores),
        ])
      : []),
  ];
}

const elementType = (p: Kernel["params"][number]) => (p.half ? "u16" : memoryType[p.storage]);
const sizeOf = (p: Kernel["params"][number]) =>
  p.half ? 2 : p.storage === "bool" || p.storage === "u8" ? 1 : 4;
