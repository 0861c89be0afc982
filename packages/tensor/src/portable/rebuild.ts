import type { DType } from "../dtype.ts";
import { fail } from "../errors.ts";
import { Graph, type Node, type NodeOf, type Op, type Primitives, type ScanBody } from "../graph.ts";
import { sameShape, show, sizeOf } from "../shape.ts";
import type { GraphData, LoopData, NodeData } from "./data.ts";
import type { Form } from "./form.ts";
import { argumentCounts, type Rule, rules } from "./rules.ts";

/** A graph, its nodes by their numbers in the data, and its results. */
export interface Rebuilt {
  readonly graph: Graph;
  readonly nodes: readonly Node[];
  readonly outputs: readonly number[];
}

const types: readonly unknown[] = ["f32", "i32", "u32", "u8", "bool"];
const isWhole = (x: unknown): x is number => typeof x === "number" && Number.isSafeInteger(x) && x >= 0;

const mostElements = 2 ** 31 - 1;
/** Iterations of nested loops together. A search over a million simulations of a hundred steps stays below. */
const mostIterations = 2 ** 31 - 1;

/**
 * Builds a graph from data that may come from anybody: every node must be what its operation makes of its arguments. `times` is how often
 * the loops around it run it.
 */
export function rebuildGraph(data: GraphData, source: string, times = 1): Rebuilt {
  const graph = new Graph();
  const nodes: Node[] = [];
  const { nodes: list, outputs } = data ?? {};
  if (!Array.isArray(list) || !Array.isArray(outputs))
    fail(source, "it does not contain a function. It is damaged.");
  for (const entry of list) nodes.push(nodeOf(entry, nodes, { graph, source, times }));
  if (!outputs.every((n) => isWhole(n) && n < nodes.length && nodes[n].op !== "scan"))
    fail(source, "it names results that do not exist. It is damaged.");
  return { graph, nodes, outputs };
}

/** The graph that a node becomes part of. */
interface Place {
  readonly graph: Graph;
  readonly source: string;
  readonly times: number;
}

function nodeOf(entry: NodeData, before: readonly Node[], { graph, source, times }: Place): Node {
  const number = before.length;
  const broken = (why: string): never => fail(source, `its node ${number} ${why} It is damaged.`);
  if (!Array.isArray(entry) || entry.length !== 5) broken("is not a valid node.");
  const [op, from, given, shape, dtype] = entry;
  if (!Array.isArray(shape) || !shape.every(isWhole) || !types.includes(dtype))
    broken("has no shape or type.");
  // Compiled code counts elements in 32 bits, those of views too, which take no memory.
  if (!(sizeOf(shape) <= mostElements)) broken(`has more than ${mostElements} elements.`);
  if (!Array.isArray(from) || !from.every((n) => isWhole(n) && n < number))
    broken("reads a node that does not precede it.");
  if (op === "input") {
    if (graph.inputs.length !== number) broken("is an argument after other nodes.");
    return graph.input(shape, dtype);
  }
  const inputs = from.map((n) => before[n]);
  const fits = (form: Form | undefined) => form && form.dtype === dtype && sameShape(form.shape, shape);
  const misfit = () =>
    broken(
      `(${op}) does not give ${dtype}${show(shape)} for ${inputs.map((x) => x.dtype + show(x.shape)).join(", ")}.`,
    );
  if (op === "element") {
    const [loop] = inputs;
    const index = Number(given?.index);
    if (inputs.length !== 1 || loop.op !== "scan" || !fits(resultsOf(loop.attributes.body)[index])) misfit();
    return graph.add("element", inputs, { index }, shape, dtype);
  }
  if (inputs.some((x) => x.op === "scan")) broken("reads a loop instead of one of its results.");
  if (op === "scan") {
    const data = given?.body as LoopData;
    // Also in nested loops: a call of the function could otherwise run for years.
    if (times * data?.length > mostIterations)
      broken(`is a loop of ${times * data.length} iterations; at most ${mostIterations} are allowed.`);
    const body = loopOf(data, inputs, source, times) ?? misfit();
    return graph.add("scan", inputs, { body }, [], "f32");
  }
  if (!isPlain(op)) return broken(`is ${JSON.stringify(op)}, which is not an operation.`);
  const count = argumentCounts[op as keyof typeof argumentCounts];
  if (count !== undefined && inputs.length !== count) misfit();
  const attributes = Object.fromEntries(
    Object.entries(given ?? {}).map(([k, v]) => [k, numberOf(k, v, dtype)]),
  );
  // The declared form; the rule decides whether it is correct.
  const node = { op, attributes, inputs, shape, dtype } as unknown as NodeOf<Op>;
  if (!fits((rules[op] as Rule<Op>)(inputs, node))) misfit();
  return graph.add(op, inputs, attributes as Primitives[typeof op], shape, dtype);
}

const isPlain = (op: Op): op is keyof typeof rules => Object.hasOwn(rules, op);

/** Numbers that JSON cannot represent were written as text. A real number is rounded to f32, as when it was traced. */
function numberOf(name: string, value: unknown, dtype: DType): unknown {
  if (name !== "value" && name !== "scale") return value;
  const number = typeof value === "string" ? Number(value) : value;
  return name === "value" && dtype === "f32" && typeof number === "number" ? Math.fround(number) : number;
}

/** The results of a loop: final carries, stacked values, and the initial carries of the iterations. */
function resultsOf({ carryOut, yOut, carryIn, length }: ScanBody): Form[] {
  const stacked = ({ shape, dtype }: Form) => ({ shape: [length, ...shape], dtype });
  return [...carryOut, ...yOut.map(stacked), ...carryIn.map(stacked)];
}

/** The body of a loop, if it matches the loop's inputs. */
function loopOf(
  data: LoopData,
  inputs: readonly Form[],
  source: string,
  times: number,
): ScanBody | undefined {
  const { graph, nodes, outputs } = rebuildGraph(data, source, times * data?.length);
  const { carries, elements, length, reverse, counted } = data;
  if (![carries, elements, length].every(isWhole) || length === 0 || carries > outputs.length)
    return undefined;
  const own = graph.inputs;
  const count = own.length + (counted ? 1 : 0);
  if (inputs.length !== count || carries + elements > own.length) return undefined;
  const [carryIn, xIn] = [own.slice(0, carries), own.slice(carries, carries + elements)];
  const results = outputs.map((n) => nodes[n]);
  const like = (a: Form, b: Form) => a.dtype === b.dtype && sameShape(a.shape, b.shape);
  const asGiven = own.every((node, i) => {
    const isElement = i >= carries && i < carries + elements;
    return like(inputs[i], isElement ? { ...node, shape: [length, ...node.shape] } : node);
  });
  const last = inputs[inputs.length - 1];
  if (counted && (last.dtype !== "i32" || last.shape.length > 0)) return undefined;
  if (!asGiven || !carryIn.every((n, i) => like(n, results[i]))) return undefined;
  return {
    graph,
    carryIn,
    xIn,
    constIn: own.slice(carries + elements),
    carryOut: results.slice(0, carries),
    yOut: results.slice(carries),
    length,
    reverse: reverse === true,
    counted: counted === true,
  };
}
