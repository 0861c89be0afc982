import type { Compute, DType } from "../../dtype.ts";
import { computeType } from "../../dtype.ts";
import type { Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import {
  accumulatorCopies,
  coefficientOf,
  type For,
  indexVaries,
  isVarying,
  pieces,
  stepsBackwards,
  unrolling,
  varyingValues,
} from "./analysis.ts";
import { infix, letter, literal, scalarOperation, vectorOperation, wraps } from "./operations.ts";

const scalarType: Record<Compute, string> = { f32: "f32", i32: "i32", u32: "u32", bool: "i32" };
const vectorType: Record<Compute, string> = { f32: "vf", i32: "vi", u32: "vu", bool: "vi" };
const memoryType: Record<DType, string> = { f32: "f32", i32: "i32", u32: "u32", u8: "u8", bool: "u8" };
const splat: Record<Compute, string> = { f32: "splatf", i32: "splati", u32: "splatu", bool: "splatb" };

/** The lanes of the vector loop being written: its variable, what depends on it, and which copy of the accumulators is in use. */
interface Lanes {
  readonly variable: Value;
  readonly varying: ReadonlySet<number>;
  readonly copy: number;
}

/** A kernel's declaration in C. Not static: a large program's kernels are compiled apart from its steps. */
export function kernelHead(kernel: Kernel, name: string): string {
  const params = kernel.params.map((p, i) => `${memoryType[p.storage]} *p${i}, `).join("");
  return `void ${name}(${params}const long begin, const long end)`;
}

/** Writes a kernel as the C function `name(pointers…, begin, end)`; the text needs `prelude` before it. */
export function emitKernel(kernel: Kernel, name: string): string {
  const out: string[] = [];
  const copies = accumulatorCopies(kernel);
  const laneIds = new Set(copies.keys());
  /** Loop variables are 64-bit in C, because indices are; values read them as i32. */
  const loopIds = new Set<number>([kernel.parallel.id]);

  const scalar = (o: Operand): string => {
    if (!("id" in o)) return literal(o.constant, o.type);
    return loopIds.has(o.id) ? `(i32)j${o.id}` : `v${o.id}`;
  };
  const vector = (o: Operand, lanes: Lanes): string => {
    if (!isVarying(o, lanes.varying)) return `${splat[o.type]}(${scalar(o)})`;
    const { id } = o as Value;
    if (id === lanes.variable.id) return `(iota + (i32)j${id}${suffix(lanes)})`;
    return laneIds.has(id) ? `a${id}_${lanes.copy % copies.get(id)!}` : `x${id}${suffix(lanes)}`;
  };
  /** Interleaved copies of a loop's body have names of their own. */
  const suffix = (lanes?: Lanes) => (lanes?.copy ? `_${lanes.copy}` : "");

  /** An index in C. With `lane`, that of one lane of a vector loop. */
  const indexText = (index: Index, lanes?: Lanes, lane?: string): string => {
    const parts: string[] = [];
    const add = (text: string, coefficient: number) => {
      if (coefficient === 1) parts.push(text);
      else if (coefficient !== 0) parts.push(`${text} * ${coefficient}L`);
    };
    const counter = (id: number) => {
      const own = lanes && id === lanes.variable.id;
      const name = `j${id}${own ? suffix(lanes) : ""}`;
      return own && lane ? `(${name} + ${lane})` : name;
    };
    for (const { variable, coefficient } of index.terms) add(counter(variable.id), coefficient);
    for (const { value, coefficient } of index.dynamic ?? []) {
      if (!("id" in value)) parts.push(`${value.constant * coefficient}L`);
      else if (loopIds.has(value.id)) add(counter(value.id), coefficient);
      else if (lane && lanes!.varying.has(value.id))
        add(`(long)${vector(value, lanes!)}[${lane}]`, coefficient);
      else add(`(long)v${value.id}`, coefficient);
    }
    if (index.constant !== 0 || parts.length === 0) parts.push(`${index.constant}L`);
    return parts.join(" + ");
  };

  const load = (s: Extract<Stmt, { kind: "load" }>, lanes?: Lanes) => {
    const storage = kernel.params[s.param].storage;
    const type = computeType(storage);
    const { id } = s.result;
    if (!lanes || !indexVaries(s.index, lanes.variable, lanes.varying)) {
      const element = `p${s.param}[${indexText(s.index)}]`;
      out.push(`${scalarType[type]} v${id} = ${storage === "bool" ? `${element} != 0` : element};`);
    } else if (contiguous(s.index, lanes)) {
      const at = `p${s.param} + ${indexText(s.index, lanes)}`;
      if (storage === "bool") out.push(`vi x${id}${suffix(lanes)} = loadb(${at}) != 0;`);
      else if (storage === "u8") out.push(`vi x${id}${suffix(lanes)} = loadb(${at});`);
      else out.push(`${vectorType[type]} x${id}${suffix(lanes)} = *(const ${vectorType[type]}m *)(${at});`);
    } else {
      const lane = `p${s.param}[${indexText(s.index, lanes, "(l)")}]`;
      out.push(
        `#define L(l) ${storage === "bool" ? `-(${lane} != 0)` : lane}`,
        `${vectorType[type]} x${id}${suffix(lanes)} = { LANES };`,
        "#undef L",
      );
    }
  };

  const store = (s: Extract<Stmt, { kind: "store" }>, lanes?: Lanes) => {
    const storage = kernel.params[s.param].storage;
    if (
      !lanes ||
      !(indexVaries(s.index, lanes.variable, lanes.varying) || isVarying(s.value, lanes.varying))
    ) {
      out.push(`p${s.param}[${indexText(s.index)}] = ${scalar(s.value)};`);
      return;
    }
    const value = vector(s.value, lanes);
    if (contiguous(s.index, lanes)) {
      const at = `p${s.param} + ${indexText(s.index, lanes)}`;
      if (storage === "bool") out.push(`storeb(${at}, ${value} & 1);`);
      else if (storage === "u8") out.push(`storeb(${at}, ${value});`);
      else out.push(`*(${vectorType[storage]}m *)(${at}) = ${value};`);
    } else {
      const element = isVarying(s.value, lanes.varying)
        ? `${value}[l]${storage === "bool" ? " & 1" : ""}`
        : scalar(s.value);
      out.push(
        `#define L(l) p${s.param}[${indexText(s.index, lanes, "(l)")}] = ${element};`,
        "EACH",
        "#undef L",
      );
    }
  };

  const operation = (s: Extract<Stmt, { kind: "let" }>, lanes?: Lanes) => {
    const { result, op, args } = s;
    const type = op === "select" ? args[1].type : args[0].type;
    // A divisor comes last, a bound first.
    const known = op === "min" || op === "max" ? args[0] : args[args.length - 1];
    const constant = "constant" in known ? known.constant : undefined;
    if (!lanes?.varying.has(result.id)) {
      out.push(
        `${scalarType[result.type]} v${result.id} = ${scalarOperation(op, type, args.map(scalar), constant)};`,
      );
      return;
    }
    const [condition] = args;
    if (op === "select" && !isVarying(condition, lanes.varying)) {
      const [, a, b] = args.map((x) => vector(x, lanes));
      out.push(
        `${vectorType[result.type]} x${result.id}${suffix(lanes)} = ${scalar(condition)} ? ${a} : ${b};`,
      );
    } else {
      // Compilers repeat a scalar beside a vector by themselves; saying it less makes them faster.
      const plain = type !== "bool" && op in infix && !(type === "i32" && wraps.has(op));
      const texts = args.map((x) => (plain && !isVarying(x, lanes.varying) ? scalar(x) : vector(x, lanes)));
      const text = vectorOperation(op, type, texts, constant);
      out.push(`${vectorType[result.type]} x${result.id}${suffix(lanes)} = ${text};`);
    }
  };

  const vectorLoop = (variable: Value, from: string, to: string, extent: number | undefined, loop: For) => {
    const { id } = variable;
    loopIds.add(id);
    const varying = varyingValues(variable, loop.body, laneIds);
    // Iterations are independent, so nothing they write can change what they all read: done once, before the loop.
    const { once, body } = hoist(loop.body, varying);
    const unroll = unrolling(loop, laneIds);
    out.push(`{ long I${id} = ${from}; const long n${id} = ${to};`);
    statements(once);
    const group = (count: number) => {
      out.push(
        `for (; I${id} + ${count > 1 ? `${count} * ` : ""}W <= n${id}; I${id} += ${count > 1 ? `${count} * ` : ""}W) {`,
      );
      // Statement by statement rather than copy by copy: a small scheduling window then still sees independent work.
      const each = Array.from({ length: count }, (_, copy): Lanes => ({ variable, varying, copy }));
      for (const lanes of each)
        out.push(`const long j${id}${suffix(lanes)} = I${id}${lanes.copy ? ` + ${lanes.copy} * W` : ""};`);
      const once = (s: Stmt) => (s.kind === "let" || s.kind === "load") && !varying.has(s.result.id);
      for (const piece of pieces(body, laneIds))
        for (const lanes of each) for (const s of piece) if (!lanes.copy || !once(s)) statement(s, lanes);
      out.push("}");
    };
    if (extent === undefined || extent >= 4) {
      if (unroll > 1) group(unroll);
      if (unroll === 1 || extent === undefined || extent % (16 * unroll) !== 0) group(1);
    }
    // 16 is the widest vector: its multiples leave nothing over on any processor.
    if (extent === undefined || extent % 16 !== 0) {
      out.push(`for (; I${id} < n${id}; I${id}++) { const long j${id} = I${id};`);
      statements(body);
      out.push("}");
    }
    out.push("}");
  };

  const statements = (stmts: readonly Stmt[], lanes?: Lanes): void => {
    for (const s of stmts) statement(s, lanes);
  };

  const statement = (s: Stmt, lanes?: Lanes): void => {
    switch (s.kind) {
      case "let":
        operation(s, lanes);
        return;
      case "load":
        load(s, lanes);
        return;
      case "store":
        store(s, lanes);
        return;
      case "declare": {
        const { id, type } = s.variable;
        const count = copies.get(id);
        if (lanes) out.push(`${vectorType[type]} x${id} = ${vector(s.init, lanes)};`);
        else out.push(`${scalarType[type]} v${id} = ${scalar(s.init)};`);
        if (count !== undefined && !lanes) {
          const names = Array.from({ length: count }, (_, copy) => `a${id}_${copy} = ${splat[type]}(v${id})`);
          out.push(`${vectorType[type]} ${names.join(", ")};`);
        }
        return;
      }
      case "assign":
        out.push(
          lanes
            ? `${vector(s.variable, lanes)} = ${vector(s.value, lanes)};`
            : `v${s.variable.id} = ${scalar(s.value)};`,
        );
        return;
      case "combine": {
        const { id, type } = s.accumulator;
        const { id: to } = s.result;
        const extreme = type === "f32" && (s.op === "min" ? "low" : s.op === "max" && "high");
        const joined = (a: string, b: string) =>
          extreme ? `v${extreme}f(${a}, ${b})` : vectorOperation(s.op, type, [`(${a})`, `(${b})`]);
        let names = Array.from({ length: copies.get(id)! }, (_, copy) => `a${id}_${copy}`);
        while (names.length > 1) {
          const half = names.length / 2;
          names = names.slice(0, half).map((a, i) => joined(a, names[i + half]));
        }
        const bits = type === "bool" ? " & 1" : "";
        out.push(`${vectorType[type]} c${to} = (${names[0]})${bits};`);
        const fold = `${extreme || s.op}_${letter[type]}`;
        out.push(`${scalarType[type]} v${to} = ${fold}(TREE(${fold}, c${to}), v${id});`);
        return;
      }
      case "for": {
        const from = s.from ? `(long)${scalar(s.from)}` : "0";
        const to = typeof s.extent === "number" ? `${s.extent}` : `(long)${scalar(s.extent)}`;
        if (s.vector && !lanes) {
          vectorLoop(s.variable, from, to, s.from || typeof s.extent !== "number" ? undefined : s.extent, s);
          return;
        }
        const { id } = s.variable;
        loopIds.add(id);
        out.push(`for (long j${id} = ${from}; j${id} < ${to}; j${id}++) {`);
        statements(s.body, lanes);
        out.push("}");
        return;
      }
      case "if":
        out.push(`if (${scalar(s.condition)}) {`);
        statements(s.then);
        if (s.else) {
          out.push("} else {");
          statements(s.else);
        }
        out.push("}");
        return;
      case "while":
        out.push("for (;;) {");
        statements(s.test);
        out.push(`if (!(${scalar(s.condition)})) break;`);
        statements(s.body);
        out.push("}");
        return;
    }
  };

  if (stepsBackwards(kernel.body)) out.push("PLAIN_LOOPS");
  out.push(`/* ${kernel.label.replaceAll("*/", "* /")} */`, `${kernelHead(kernel, name)} {`);
  const { parallel: variable, body } = kernel;
  if (straightLine(kernel)) {
    vectorLoop(variable, "begin", "end", undefined, { kind: "for", variable, extent: 0, vector: true, body });
  } else {
    out.push(`for (long j${variable.id} = begin; j${variable.id} < end; j${variable.id}++) {`);
    statements(body);
    out.push("}");
  }
  out.push("}");
  return out.join("\n");
}

function contiguous(index: Index, lanes: Lanes): boolean {
  const others = (index.dynamic ?? []).some(
    (d) => "id" in d.value && d.value.id !== lanes.variable.id && lanes.varying.has(d.value.id),
  );
  return coefficientOf(index, lanes.variable) === 1 && !others;
}

/**
 * Splits a vector loop's body into what is the same for all its lanes and the rest. A load at an index read from memory stays in
 * the loop: in a loop of no iterations that index may be nonsense.
 */
function hoist(body: readonly Stmt[], varying: ReadonlySet<number>): { once: Stmt[]; body: Stmt[] } {
  const once: Stmt[] = [];
  const rest: Stmt[] = [];
  const stays = new Set(varying);
  for (const s of body) {
    const fixed =
      s.kind === "let"
        ? !s.args.some((a) => isVarying(a, stays))
        : s.kind === "load" &&
          !s.index.dynamic?.length &&
          !s.index.terms.some((t) => stays.has(t.variable.id) && t.coefficient !== 0);
    if (fixed) once.push(s);
    else {
      rest.push(s);
      if (s.kind === "let" || s.kind === "load") stays.add(s.result.id);
    }
  }
  return { once, body: rest };
}

/** A kernel without inner loops runs its parallel variable in lanes: its iterations are independent too. */
function straightLine(kernel: Kernel): boolean {
  return (
    !kernel.params.some((p) => p.scratch) &&
    kernel.body.every((s) => s.kind === "let" || s.kind === "load" || s.kind === "store")
  );
}
