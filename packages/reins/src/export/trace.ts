import { type EnvSpec, fail, type PolicyInput } from "@reins/core";
import { importPolicy } from "@reins/core/policies";
import { columns, maskSize } from "@reins/core/spaces";
import {
  type BatchFunctionData,
  leaves,
  serialiseForBatch,
  type Tensor,
  type Tree,
  zeros,
} from "@reins/tensor";
import type { AgentContent } from "../agents/agent-file.ts";
import { type Port, type Program, stepsOf, type Weight } from "./graph.ts";
import { pruneState } from "./prune.ts";
import { simplified } from "./simplify.ts";
import { aroundOf } from "./wrapping.ts";

/** Options of exports. */
export interface ExportOptions {
  /** Whether the export takes an action mask with an entry (1 or 0) for each choice (default false). */
  readonly mask?: boolean;
}

type Names = BatchFunctionData["function"]["result"];

/**
 * The greedy policy of an agent for any number of rows, from observations to actions of the unwrapped environment. The agent's wrappers are
 * included.
 */
export function programOf(
  content: AgentContent,
  source: string,
  { mask: wanted }: ExportOptions = {},
): Program {
  const { policy: written, spec } = content;
  const mask = wanted ?? false;
  if (wanted === undefined && content.masked)
    console.warn(
      `${source}: the agent was trained with action masks, but the export has none and may choose forbidden actions. Set \`mask: true\`, or \`mask: false\` to silence this warning.`,
    );
  if (mask && !written.ways.bestAllowed)
    fail(source, "this agent does not support action masks. Leave out `mask`.");
  const { policy, weights } = importPolicy(written, source);
  const around = aroundOf(content, source);
  const act: PolicyFunction = (observation, state, given) => {
    const [{ shape }] = leaves(observation);
    // The caller passes the initial state at the start of an episode, so the state is never reset here.
    const view: PolicyInput = {
      ...given,
      observation: around.observe(observation),
      first: zeros([shape[0]], "bool"),
    };
    const { action, state: next } = policy.act(weights, view, state);
    return { action: around.execute(action), state: next };
  };
  const argumentsFor = (rows: number): Parameters<PolicyFunction> => [
    columns(spec.observation, rows),
    policy.start?.(rows) ?? {},
    givenTo(spec, rows, mask),
  ];
  return programFor(act, argumentsFor, written.tensors, source);
}

/** A policy function. */
export type PolicyFunction = (observation: Tree, state: Tree, given: Given) => { action: Tree; state: Tree };

/** Traces a policy function for any number of rows; `tensors` are its weights by name. */
export function programFor(
  act: PolicyFunction,
  argumentsFor: (rows: number) => Parameters<PolicyFunction>,
  tensors: ReadonlyMap<string, Tensor>,
  source: string,
): Program {
  const { data, constants } =
    serialiseForBatch(act, argumentsFor) ??
    fail(
      source,
      "the computation depends on the number of rows other than through shapes, which exports do not support.",
    );
  const {
    arguments: [observation, state, given],
    result,
    graph,
  } = data.function;
  const { action, state: next } = result as { readonly action: Names; readonly state: Names };
  const places = graph.nodes.filter(([op]) => op === "input").length - constants.length;
  const steps = stepsOf(graph);
  const known = new Map([...tensors].map(([name, t]) => [t, name]));
  const kept = constants.map((t, i): [number, Weight] => [
    places + i,
    { name: known.get(t) ?? `constant.${i}`, tensor: t },
  ]);
  for (const [at] of kept) steps[at] = { ...steps[at], op: "weight" };
  const out = (names: Names, prefix: string) =>
    named(names, prefix).map(({ name, step }) => ({ name, step: graph.outputs[step] }));
  return simplified(
    pruneState({
      steps,
      weights: new Map(kept),
      inputs: [...named(observation, "observation"), ...named(given, ""), ...named(state, "state")],
      outputs: [...out(action, "action"), ...out(next, "next")],
    }),
    source,
  );
}

/** Inputs of a policy besides observations. */
type Given = { readonly mask?: Tensor; readonly agent?: Tensor };

function givenTo(spec: EnvSpec, rows: number, mask: boolean): Given {
  return {
    ...(mask ? { mask: zeros([rows, maskSize(spec.action)], "bool") } : {}),
    ...(spec.agents ? { agent: zeros([rows], "i32") } : {}),
  };
}

/** The leaves of a tree by path. */
function named(names: Names, prefix: string): Port[] {
  if (names === null) return [];
  if (typeof names === "number") return [{ name: prefix, step: names }];
  return Object.entries(names).flatMap(([key, inner]) => named(inner, prefix ? `${prefix}.${key}` : key));
}
