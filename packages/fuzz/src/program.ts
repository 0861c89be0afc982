import type { DType, Tensor, Tree } from "./internals.ts";
import * as o from "./internals.ts";

/** A value of the program, by its number: `v7` in printed programs. */
export interface Ref {
  readonly $: number;
}

/** An argument of an operation: values, settings, and lists and objects of them. Plain data, so that programs can be sent and shrunk. */
export type Arg = Ref | number | string | boolean | null | readonly Arg[] | { readonly [name: string]: Arg };

/** A function inside a program: its parameters (patterns of values), its calls, and its result. It may use outer values. */
export interface Block {
  readonly params: readonly Arg[];
  readonly nodes: readonly Node[];
  readonly result: Arg;
}

/** One call. Each of `outs` names a value and its path in the result. */
export interface Node {
  readonly op: string;
  readonly args: readonly Arg[];
  /** For transformations: the functions that are transformed. */
  readonly blocks?: readonly Block[];
  /** Whether it is called as a method of its first argument. */
  readonly method?: boolean;
  readonly outs: readonly { readonly id: number; readonly path: string }[];
}

/** An input tensor of the program. */
export interface Input {
  readonly id: number;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** Its elements at the first and at the second call. */
  readonly values: readonly (readonly number[])[];
  /** An argument that is read, one that is donated (`next` is its new value), or a captured tensor. */
  readonly role: "argument" | "state" | "capture";
  readonly next?: number;
}

export interface Program {
  readonly seed: number;
  readonly index: number;
  readonly inputs: readonly Input[];
  readonly nodes: readonly Node[];
  readonly outputs: readonly number[];
}

export type Env = Map<number, Tensor>;

export const isRef = (a: unknown): a is Ref =>
  typeof a === "object" && a !== null && typeof (a as Ref).$ === "number";

/** Every value in an argument. */
export function refsOf(a: Arg | undefined): number[] {
  if (isRef(a)) return [a.$];
  if (Array.isArray(a)) return a.flatMap(refsOf);
  return typeof a === "object" && a !== null ? Object.values(a).flatMap(refsOf) : [];
}

/** An argument with its values substituted. */
export function resolve(a: Arg, env: Env): unknown {
  if (isRef(a)) {
    const t = env.get(a.$);
    if (!t) throw new Error(`Value ${a.$} is used before it is computed.`);
    return t;
  }
  if (Array.isArray(a)) return a.map((x) => resolve(x, env));
  if (typeof a !== "object" || a === null) return a;
  return Object.fromEntries(Object.entries(a as Record<string, Arg>).map(([k, x]) => [k, resolve(x, env)]));
}

function match(pattern: Arg, value: unknown, env: Env): void {
  if (isRef(pattern)) env.set(pattern.$, value as Tensor);
  else if (Array.isArray(pattern)) pattern.forEach((p, i) => match(p, (value as unknown[])[i], env));
  else if (typeof pattern === "object" && pattern !== null)
    for (const [k, p] of Object.entries(pattern)) match(p, (value as Record<string, unknown>)[k], env);
}

/** A function of a program. Generated programs guarantee the result type that the caller expects. */
export type Traced = <R>(...args: unknown[]) => R;

/** The block as a function that works eagerly and while tracing. */
export function functionOf(block: Block, env: Env): Traced {
  return <R>(...args: unknown[]) => {
    const inner = new Map(env);
    block.params.forEach((p, i) => match(p, args[i], inner));
    runNodes(block.nodes, inner);
    return resolve(block.result, inner) as R;
  };
}

type Transformation = (fs: Traced[], args: unknown[]) => unknown;

/** Operations on functions. Their arguments are those of the call that follows, settings last. */
export const transformations: Readonly<Record<string, Transformation>> = {
  grad: ([f], args) => o.grad(f)(...(args as [Tree])),
  valueAndGradient: ([f], args) => o.valueAndGradient(f)(...(args as [Tree])),
  /** `gradient` works only while tracing, hence the differentiated function around it. */
  gradient: ([f], [xs]) =>
    o.valueAndGradient((own: Tensor[]) => {
      const gs = o.gradient(f(own) as Tensor, own);
      return [gs.map((g) => o.sum(o.mul(g, 0.5))).reduce((a, b) => o.add(a, b)), gs] as const;
    })(xs as Tensor[]),
  vmap: ([f], args) => o.vmap(f, args[args.length - 1] as object)(...args.slice(0, -1)),
  scan: ([f], [init, xs, options]) => o.scan(f, init as Tree, (xs ?? undefined) as Tree, options as object),
  customGradient: ([f, rule], args) => o.customGradient(f, rule)(...(args as Tensor[])),
  treeMap: ([f], args) => o.treeMap(f, ...(args as [Tree])),
  compile: ([f], args) => o.compile(f, { backend: "reference" })(...(args as Tree[])),
};

/** The function of an operation's name; `random.normal` is one of a group. */
export function operation(name: string): (...args: unknown[]) => unknown {
  const [group, member] = name.split(".");
  const found: unknown = Reflect.get(o, group);
  return (member ? (found as Record<string, unknown>)[member] : found) as (...args: unknown[]) => unknown;
}

export function call(node: Node, env: Env): unknown {
  const args = node.args.map((a) => resolve(a, env));
  const transform = transformations[node.op];
  if (transform)
    return transform(
      node.blocks!.map((b) => functionOf(b, env)),
      args,
    );
  if (node.method) {
    const [first, ...rest] = args as [Record<string, (...rest: unknown[]) => unknown>];
    return first[node.op](...rest);
  }
  return operation(node.op)(...args);
}

/** The part of a result at a path; "" is the whole. */
export function at(result: unknown, path: string): Tensor {
  return (
    path === "" ? result : path.split(".").reduce((r, k) => (r as Record<string, unknown>)[k], result)
  ) as Tensor;
}

export function runNodes(nodes: readonly Node[], env: Env): void {
  for (const node of nodes) {
    const result = call(node, env);
    for (const { id, path } of node.outs) env.set(id, at(result, path));
  }
}

/** The results of a program: the new values of donated arguments, and its outputs. */
export function runProgram(p: Program, env: Env): { state: Tensor[]; others: Tensor[] } {
  runNodes(p.nodes, env);
  return {
    state: p.inputs.filter((i) => i.role === "state").map((i) => env.get(i.next!)!),
    others: p.outputs.map((id) => env.get(id)!),
  };
}

/** A program's inputs as tensors, with the values of the given call. */
export function inputTensors(p: Program, moment: number): Map<number, Tensor> {
  return new Map(
    p.inputs.map((i) => [i.id, o.tensor([...i.values[moment]], { shape: i.shape, dtype: i.dtype })]),
  );
}
