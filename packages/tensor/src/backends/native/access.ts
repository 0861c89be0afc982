import { computeType, type DType } from "../../dtype.ts";
import type { Index, Stmt } from "../../kernel/kernel.ts";
import { coefficientOf, indexVaries, isVarying } from "./analysis.ts";
import { type Lanes, type Names, scalarType, suffix, vectorType } from "./names.ts";
import { letter } from "./operations.ts";

/** A load in C: of one element, of adjacent elements for the lanes, or of a separate element per lane. `storage` is the type in memory. */
export function loadText(
  s: Extract<Stmt, { kind: "load" }>,
  storage: DType,
  names: Names,
  lanes?: Lanes,
): string[] {
  const type = computeType(storage);
  const { id } = s.result;
  if (!lanes || !indexVaries(s.index, lanes.variable, lanes.varying)) {
    const element = `p${s.param}[${names.index(s.index)}]`;
    return [`${scalarType[type]} v${id} = ${storage === "bool" ? `${element} != 0` : element};`];
  }
  if (contiguous(s.index, lanes)) {
    const at = `p${s.param} + ${names.index(s.index, lanes)}`;
    const { mask } = lanes;
    if (mask) {
      const head = `head${storage === "bool" || storage === "u8" ? "b" : letter[type]}(${at}, ${mask})`;
      return [`${vectorType[type]} x${id} = ${head}${storage === "bool" ? " != 0" : ""};`];
    }
    if (storage === "bool") return [`vi x${id}${suffix(lanes)} = loadb(${at}) != 0;`];
    if (storage === "u8") return [`vi x${id}${suffix(lanes)} = loadb(${at});`];
    return [`${vectorType[type]} x${id}${suffix(lanes)} = *(const ${vectorType[type]}m *)(${at});`];
  }
  const lane = `p${s.param}[${names.index(s.index, lanes, "(l)")}]`;
  return [
    `#define L(l) ${storage === "bool" ? `-(${lane} != 0)` : lane}`,
    `${vectorType[type]} x${id}${suffix(lanes)} = { LANES };`,
    "#undef L",
  ];
}

/** A store in C, in the same three forms. */
export function storeText(
  s: Extract<Stmt, { kind: "store" }>,
  storage: DType,
  names: Names,
  lanes?: Lanes,
): string[] {
  if (!lanes || !(indexVaries(s.index, lanes.variable, lanes.varying) || isVarying(s.value, lanes.varying)))
    return [`p${s.param}[${names.index(s.index)}] = ${names.scalar(s.value)};`];
  const value = names.vector(s.value, lanes);
  if (contiguous(s.index, lanes)) {
    const at = `p${s.param} + ${names.index(s.index, lanes)}`;
    const { mask } = lanes;
    if (mask)
      return storage === "bool" || storage === "u8"
        ? [`putheadb(${at}, ${value}${storage === "bool" ? " & 1" : ""}, ${mask});`]
        : [`puthead(${at}, (vf)${value}, ${mask});`];
    if (storage === "bool") return [`storeb(${at}, ${value} & 1);`];
    if (storage === "u8") return [`storeb(${at}, ${value});`];
    return [`*(${vectorType[storage]}m *)(${at}) = ${value};`];
  }
  const element = isVarying(s.value, lanes.varying)
    ? `${value}[l]${storage === "bool" ? " & 1" : ""}`
    : names.scalar(s.value);
  return [
    `#define L(l) p${s.param}[${names.index(s.index, lanes, "(l)")}] = ${element};`,
    "EACH",
    "#undef L",
  ];
}

/** Whether a partial vector can run the body: all elements that its lanes read and write must be adjacent. */
export function canMask(body: readonly Stmt[], lanes: Lanes): boolean {
  const { variable, varying } = lanes;
  return body.every((s) => {
    if (s.kind === "let" || s.kind === "assign") return true;
    if (s.kind === "load") return !indexVaries(s.index, variable, varying) || contiguous(s.index, lanes);
    return s.kind === "store" && contiguous(s.index, lanes);
  });
}

function contiguous(index: Index, lanes: Lanes): boolean {
  const others = (index.dynamic ?? []).some(
    (d) => "id" in d.value && d.value.id !== lanes.variable.id && lanes.varying.has(d.value.id),
  );
  return coefficientOf(index, lanes.variable) === 1 && !others;
}
