import { flattenNames, unflattenNames } from "@reins/nn";
import {
  type AnyExtent,
  leaves,
  random,
  readForExtent,
  type Tensor,
  type Tree,
  treeMap,
  writeForExtent,
} from "@reins/tensor";
import type { CurrentPolicy } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { View } from "../moment.ts";
import { type Act, type Acting, requireActing } from "../policy.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { maskSize } from "../spaces/mask.ts";

/** How a policy may be asked: for its best action or for one that is drawn, with a mask of what is allowed or without. */
export type Way = "best" | "bestAllowed" | "drawn" | "drawnAllowed";

/** A policy as data that a file can hold, without code and without an environment. */
export interface WrittenPolicy {
  /** For each way to ask, the function of weights, view, memory and key that gives action and memory, for any number of rows. */
  readonly ways: { readonly [W in Way]?: AnyExtent };
  /** Weights, memory at the beginning of an episode, and what else the functions use, by name. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** What is chosen, and what is remembered for the next step. */
type Chosen = { action: Tree; state: Tree };

const wayOf = (drawn: boolean, masked: boolean): Way =>
  `${drawn ? "drawn" : "best"}${masked ? "Allowed" : ""}`;

/** Writes down how a policy acts in environments of this kind, with its weights of now. */
export function writePolicy({ policy: given, weights }: CurrentPolicy, spec: EnvSpec): WrittenPolicy {
  const policy = requireActing(given, "save");
  const tensors = new Map<string, Tensor>();
  const keep = (name: string, tree: Tree) => {
    for (const [path, t] of flattenNames(tree)) tensors.set(path ? `${name}.${path}` : name, t);
  };
  keep("weights", weights);
  keep("memory", policy.start?.(1) ?? {});
  const ways: { [W in Way]?: AnyExtent } = {};
  for (const masked of maskSize(spec.action) > 0 ? [false, true] : [false])
    for (const drawn of policy.host ? [false] : [false, true]) {
      const way = wayOf(drawn, masked);
      const choose = (w: Tree, v: View, s: Tree, k?: Tensor) => chosenBy(policy, w, v, s, k);
      const asked = (rows: number): Parameters<typeof choose> => [
        weights,
        exampleView(spec, rows, masked),
        policy.start?.(rows) ?? {},
        drawn ? random.key(0) : undefined,
      ];
      const { data, constants } = writeForExtent(choose, asked) ?? tangled();
      ways[way] = data;
      constants.forEach((t, i) => void tensors.set(`${way}.${i}`, t));
    }
  return { ways, tensors };
}

function chosenBy(policy: Acting, weights: Tree, view: View, state: Tree, key?: Tensor): Chosen {
  if (!policy.host) {
    const { action, state: next } = policy.act(weights, view, state, key);
    return { action, state: next };
  }
  if (!policy.best)
    fail(
      "save",
      "this policy is called on the host, in code that no file can hold. Give it `best`, the same choice in tensor operations.",
    );
  return { action: policy.best(weights, view), state };
}

/** What a policy of this environment looks at. */
function exampleView(spec: EnvSpec, rows: number, masked: boolean): View {
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
    "what this policy computes depends on the number of rows in another way than by their shapes: no file can hold it. Let it treat every row alike.",
  );
}

/** The policy that was written down. It acts on any number of rows, eagerly and compiled. `source` names the file in messages. */
export function readPolicy({ ways, tensors }: WrittenPolicy, source: string): CurrentPolicy<Acting> {
  const functions = new Map(
    Object.entries(ways).map(([way, data]) => {
      const constants = [...tensors].filter(([name]) => name.startsWith(`${way}.`));
      const inOrder = constants.sort(([a], [b]) => numberIn(a) - numberIn(b)).map(([, t]) => t);
      return [way, readForExtent(data, inOrder, { source })] as const;
    }),
  );
  const weights = part(tensors, "weights");
  const memory = part(tensors, "memory");
  const act = (w: Tree, view: View, state: Tree, key?: Tensor): Act => {
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

/** What a row begins with, for so many of them. */
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
      ? "this agent only knows its best action. Ask for that: greedy: true."
      : "this agent's actions have no masks: there are no choices to forbid.",
  );
}
