import {
  type FunctionData,
  leaves,
  random,
  readFunction,
  reshape,
  stack,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  vmap,
  writeFunction,
} from "@reins/tensor";
import type { CurrentPolicy } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { View } from "../moment.ts";
import { nn } from "../nn.ts";
import { type Act, type Acting, requireActing } from "../policy.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { maskSize } from "../spaces/mask.ts";

/** How a policy may be asked: for its best action or for one that is drawn, with a mask of what is allowed or without. */
export type Way = "best" | "bestAllowed" | "drawn" | "drawnAllowed";

/** A policy as data that a file can hold, without code and without an environment. */
export interface WrittenPolicy {
  /** Rows that are decided on together: the agents of one game. */
  readonly rows: number;
  /** For each way to ask, the function of weights, view, memory and key that gives action and memory. */
  readonly ways: { readonly [W in Way]?: FunctionData };
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
  const rows = spec.agents?.names.length ?? 1;
  const state = policy.start?.(rows) ?? {};
  const tensors = new Map<string, Tensor>();
  const keep = (name: string, tree: Tree) => {
    for (const [path, t] of nn.flattenNames(tree)) tensors.set(path ? `${name}.${path}` : name, t);
  };
  keep("weights", weights);
  keep("memory", state);
  const ways: { [W in Way]?: FunctionData } = {};
  for (const masked of maskSize(spec.action) > 0 ? [false, true] : [false])
    for (const drawn of policy.host ? [false] : [false, true]) {
      const way = wayOf(drawn, masked);
      const view = exampleView(spec, rows, masked);
      const choose = (w: Tree, v: View, s: Tree, k?: Tensor) => chosenBy(policy, w, v, s, k);
      const { data, constants } = writeFunction(
        choose,
        ...([weights, view, state, ...(drawn ? [random.key(0)] : [])] as Parameters<typeof choose>),
      );
      ways[way] = data;
      constants.forEach((t, i) => void tensors.set(`${way}.${i}`, t));
    }
  return { rows, ways, tensors };
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

/** What a policy of this environment looks at, of `rows` rows. */
function exampleView(spec: EnvSpec, rows: number, masked: boolean): View {
  return {
    observation: columns(spec.observation, rows),
    first: zeroColumn("bool", [rows]),
    ...(spec.agents ? { agent: tensor(Int32Array.from({ length: rows }, (_, i) => i)) } : {}),
    ...(masked ? { mask: zeroColumn("bool", [rows, maskSize(spec.action)]).set(1) } : {}),
  };
}

/** The policy that was written down. It acts on any number of rows, eagerly and compiled. `source` names the file in messages. */
export function readPolicy({ rows, ways, tensors }: WrittenPolicy, source: string): CurrentPolicy<Acting> {
  const functions = new Map(
    Object.entries(ways).map(([way, data]) => {
      const constants = [...tensors].filter(([name]) => name.startsWith(`${way}.`));
      const inOrder = constants.sort(([a], [b]) => numberIn(a) - numberIn(b)).map(([, t]) => t);
      return [way, readFunction(data, inOrder, { source })] as const;
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
    const choose = (s: typeof seen, m: Tree, k?: Tensor) => found(w, s, m, k) as Chosen;
    return count === rows ? choose(seen, state, key) : inGames(choose, rows, count, seen, state, key);
  };
  return {
    weights,
    policy: {
      init: () => weights,
      ...(leaves(memory).length ? { start: (n: number) => repeated(memory, n / rows) } : {}),
      act,
    },
  };
}

/** Decides on many games at once: `choose` knows one. */
function inGames<V extends Tree>(
  choose: (view: V, state: Tree, key?: Tensor) => Chosen,
  rows: number,
  count: number,
  view: V,
  state: Tree,
  key?: Tensor,
): Chosen {
  const games = count / rows;
  const apart = <T extends Tree>(tree: T) =>
    treeMap((t) => reshape(t, [games, rows, ...t.shape.slice(1)]), tree);
  const keys = key && stack(random.splitKey(key, games));
  const act = vmap(choose)(apart(view), apart(state), keys);
  return treeMap((t) => reshape(t, [count, ...t.shape.slice(2)]), act);
}

/** What every game begins with, for so many of them. */
function repeated(memory: Tree, games: number): Tree {
  return treeMap((t) => {
    const data = t.data.slice();
    const all = new (data.constructor as new (n: number) => typeof data)(data.length * games);
    for (let i = 0; i < games; i++) all.set(data, i * data.length);
    return tensor(all, { shape: [t.shape[0] * games, ...t.shape.slice(1)], dtype: t.dtype });
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
  return own.length ? nn.unflattenNames(own) : {};
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
