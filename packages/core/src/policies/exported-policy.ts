import { flattenNames, unflattenNames } from "@reins/nn";
import {
  type BatchFunctionData,
  deserialiseForBatch,
  leaves,
  random,
  serialiseForBatch,
  type Tensor,
  type Tree,
  treeMap,
} from "@reins/tensor";
import type { CurrentPolicy } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import { fail, ReinsError } from "../errors.ts";
import { type ActingPolicy, type ActionResult, requireActingPolicy } from "../policy.ts";
import type { PolicyInput } from "../recorded-step.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { maskSize } from "../spaces/mask.ts";

/** Variants of acting: greedy or sampled, with or without an action mask. */
export type ActVariant = "best" | "bestAllowed" | "drawn" | "drawnAllowed";

/** A policy as data, without code and without an environment. */
export interface ExportedPolicy {
  /** For each variant, the function of weights, view, state and key that returns action and state, for any number of rows. */
  readonly ways: { readonly [W in ActVariant]?: BatchFunctionData };
  /** Weights, initial recurrent state, and constants of the functions, by name. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** The action and the state for the next step. */
type Chosen = { action: Tree; state: Tree };

const wayOf = (drawn: boolean, masked: boolean): ActVariant =>
  `${drawn ? "drawn" : "best"}${masked ? "Allowed" : ""}`;

/** Exports how a policy acts in environments of this kind, with its current weights. */
export function exportPolicy({ policy: given, weights }: CurrentPolicy, spec: EnvSpec): ExportedPolicy {
  const policy = requireActingPolicy(given, "save");
  const tensors = new Map<string, Tensor>();
  const keep = (name: string, tree: Tree) => {
    for (const [path, t] of flattenNames(tree)) tensors.set(path ? `${name}.${path}` : name, t);
  };
  keep("weights", weights);
  keep("memory", policy.start?.(1) ?? {});
  const ways: { [W in ActVariant]?: BatchFunctionData } = {};
  for (const masked of maskSize(spec.action) > 0 ? [false, true] : [false])
    for (const drawn of policy.host ? [false] : [false, true]) {
      const way = wayOf(drawn, masked);
      const choose = (w: Tree, v: PolicyInput, s: Tree, k?: Tensor) => chosenBy(policy, w, v, s, k);
      const asked = (rows: number): Parameters<typeof choose> => [
        weights,
        exampleView(spec, rows, masked),
        policy.start?.(rows) ?? {},
        drawn ? random.key(0) : undefined,
      ];
      const { data, constants } = written(choose, asked);
      ways[way] = data;
      constants.forEach((t, i) => void tensors.set(`${way}.${i}`, t));
    }
  return { ways, tensors };
}

/** Acting as data, for any number of rows. The policy acts on its environment's rows, and may fail on others. */
function written<A extends unknown[]>(choose: (...args: A) => Chosen, asked: (rows: number) => A) {
  try {
    return serialiseForBatch(choose, asked) ?? tangled();
  } catch (error) {
    const { message } = error as Error;
    throw new ReinsError(
      `save: this policy cannot be exported, because it does not act on any number of rows: ${message}`,
      { cause: error },
    );
  }
}

function chosenBy(policy: ActingPolicy, weights: Tree, view: PolicyInput, state: Tree, key?: Tensor): Chosen {
  if (!policy.host) {
    const { action, state: next } = policy.act(weights, view, state, key);
    return { action, state: next };
  }
  if (!policy.best)
    fail(
      "save",
      "this policy runs code on the host, which a file cannot hold. Implement `best`, its greedy action in tensor operations.",
    );
  return { action: policy.best(weights, view), state };
}

/** An example of the policy's input in this environment. */
function exampleView(spec: EnvSpec, rows: number, masked: boolean): PolicyInput {
  return {
    observation: columns(spec.observation, rows),
    first: zeroColumn("bool", [rows]),
    ...(spec.agents ? { agent: zeroColumn("i32", [rows]) } : {}),
    ...(masked ? { mask: zeroColumn("bool", [rows, maskSize(spec.action)]).set(1) } : {}),
  };
}

function tangled(): never {
  return fail(
    "save",
    "this policy cannot be exported, because its computation depends on the number of rows. Make it treat every row alike.",
  );
}

/** Loads an exported policy. It acts on any number of rows, eagerly and compiled. `source` names the file in messages. */
export function importPolicy({ ways, tensors }: ExportedPolicy, source: string): CurrentPolicy<ActingPolicy> {
  const functions = new Map(
    Object.entries(ways).map(([way, data]) => {
      const constants = [...tensors].filter(([name]) => name.startsWith(`${way}.`));
      const inOrder = constants.sort(([a], [b]) => numberIn(a) - numberIn(b)).map(([, t]) => t);
      return [way, deserialiseForBatch(data, inOrder, { source })] as const;
    }),
  );
  const weights = part(tensors, "weights");
  const memory = part(tensors, "memory");
  const act = (w: Tree, view: PolicyInput, state: Tree, key?: Tensor): ActionResult => {
    const way = wayOf(key !== undefined, view.mask !== undefined);
    const found = functions.get(way) ?? refuse(source, key !== undefined, functions.has("drawn"));
    const count = leaves(view.observation)[0].shape[0];
    const { observation, mask, agent, first = zeroColumn("bool", [count]) } = view;
    const seen = { observation, first, ...(agent ? { agent } : {}), ...(mask ? { mask } : {}) };
    return found(count)(w, seen, state, key) as Chosen;
  };
  return {
    weights,
    policy: {
      init: () => weights,
      ...(leaves(memory).length ? { start: (n: number) => repeated(memory, n) } : {}),
      act,
    },
  };
}

/** The initial state, repeated for each row. */
function repeated(memory: Tree, rows: number): Tree {
  return treeMap((t) => {
    const all = zeroColumn(t.dtype, [rows, ...t.shape.slice(1)]);
    for (let i = 0; i < rows; i++) all.data.set(t.data, i * t.size);
    return all;
  }, memory);
}

/** The tensors below a name, as a tree. */
function part(tensors: ReadonlyMap<string, Tensor>, name: string): Tree {
  const own = [...tensors].flatMap(([path, t]) =>
    path === name
      ? [["", t] as const]
      : path.startsWith(`${name}.`)
        ? [[path.slice(name.length + 1), t] as const]
        : [],
  );
  return own.length ? unflattenNames(own) : {};
}

const numberIn = (name: string) => Number(name.slice(name.indexOf(".") + 1));

function refuse(source: string, drawn: boolean, draws: boolean): never {
  return fail(
    source,
    drawn && !draws
      ? "this agent has greedy actions only. Use greedy: true."
      : "this agent does not support action masks. Leave the mask out.",
  );
}
