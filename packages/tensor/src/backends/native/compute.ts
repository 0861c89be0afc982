import type { Stmt } from "../../kernel/kernel.ts";
import { isVarying } from "./analysis.ts";
import { type Lanes, type Names, scalarType, splat, suffix, vectorType } from "./names.ts";
import { infix, letter, scalarOperation, vectorOperation, wraps } from "./operations.ts";

/** One operation: on scalars if all lanes would compute the same. */
export function letText(s: Extract<Stmt, { kind: "let" }>, names: Names, lanes?: Lanes): string {
  const { result, op, args } = s;
  const type = op === "select" ? args[1].type : args[0].type;
  // A divisor comes last, a bound first.
  const known = op === "min" || op === "max" ? args[0] : args[args.length - 1];
  const constant = "constant" in known ? known.constant : undefined;
  if (!lanes?.varying.has(result.id)) {
    const text = scalarOperation(op, type, names.scalars(args), constant);
    return `${scalarType[result.type]} v${result.id} = ${text};`;
  }
  const declared = `${vectorType[result.type]} x${result.id}${suffix(lanes)}`;
  const [condition] = args;
  if (op === "select" && !isVarying(condition, lanes.varying)) {
    const [, a, b] = args.map((x) => names.vector(x, lanes));
    return `${declared} = ${names.scalar(condition)} ? ${a} : ${b};`;
  }
  // Compilers broadcast a scalar operand of a vector operation; shorter code compiles faster.
  const plain = type !== "bool" && op in infix && !(type === "i32" && wraps.has(op));
  const texts = args.map((x) =>
    plain && !isVarying(x, lanes.varying) ? names.scalar(x) : names.vector(x, lanes),
  );
  return `${declared} = ${vectorOperation(op, type, texts, constant)};`;
}

/** A variable; for one with lanes also the vectors that its loops use. */
export function declareText(s: Extract<Stmt, { kind: "declare" }>, names: Names, lanes?: Lanes): string[] {
  const { id, type } = s.variable;
  if (lanes) return [`${vectorType[type]} x${id} = ${names.vector(s.init, lanes)};`];
  const own = `${scalarType[type]} v${id} = ${names.scalar(s.init)};`;
  if (!names.accumulators.has(id)) return [own];
  return [own, `${vectorType[type]} a${id}[PARTS] = { EVERY(${splat[type]}(v${id})) };`];
}

/** A new value of a variable; masked lanes keep theirs. */
export function assignText(s: Extract<Stmt, { kind: "assign" }>, names: Names, lanes?: Lanes): string {
  if (!lanes) return `v${s.variable.id} = ${names.scalar(s.value)};`;
  const [to, value] = [s.variable, s.value].map((x) => names.vector(x, lanes));
  const { mask } = lanes;
  return mask
    ? `${to} = (${vectorType[s.variable.type]})mix(${mask}, ${value}, ${to});`
    : `${to} = ${value};`;
}

/** Reduces an accumulator's lanes by halves: its parts first, then the lanes of the result. */
export function combineText(s: Extract<Stmt, { kind: "combine" }>): string[] {
  const { id, type } = s.accumulator;
  const { id: to } = s.result;
  const extreme = type === "f32" && (s.op === "min" ? "low" : s.op === "max" && "high");
  const fold = `${extreme || s.op}_${letter[type]}`;
  const joined = extreme ? `tree_${extreme}` : fold === "add_f" && "total";
  return [
    `${vectorType[type]} c${to} = JOIN(v${fold}, a${id});`,
    `${scalarType[type]} v${to} = ${joined ? `${joined}(c${to})` : `TREE(${fold}, c${to})`};`,
  ];
}
