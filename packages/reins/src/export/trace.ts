import { columns, type EnvSpec, fail, maskSize, readPolicy, type View } from "@reins/core";
import { type AnyExtent, leaves, type Tensor, type Tree, writeForExtent, zeros } from "@reins/tensor";
import type { AgentContent } from "../agents/agent-file.ts";
import { type Port, type Program, stepsOf, type Weight } from "./graph.ts";
import { needed } from "./prune.ts";
import { simplified } from "./simplify.ts";
import { aroundOf } from "./wrapping.ts";

/** What an exported agent is asked with. */
export interface ExportOptions {
  /** Whether choices may be forbidden: the export then takes a mask, with an entry (1 or 0) for each choice; false by default. */
  readonly mask?: boolean;
}

type Names = AnyExtent["function"]["result"];

/**
 * What an agent computes to act, for any number of rows: from observations as the environment shows them, through the wrappers that the
 * agent carries, to actions as the environment takes them. Its action is the best one, without chance.
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
      `${source}: it was trained with masks, and this export knows none: it may choose what is forbidden. Give \`mask: true\`, or false to leave them out.`,
    );
  if (mask && !written.ways.bestAllowed)
    fail(source, "this agent's actions have no masks: there are no choices to forbid.");
  const { policy, weights } = readPolicy(written, source);
  const around = aroundOf(content, source);
  const act: Asked = (observation, state, given) => {
    const [{ shape }] = leaves(observation);
    // Who begins an episode begins with the first state: nothing is to be forgotten.
    const view: View = {
      ...given,
      observation: around.observe(observation),
      first: zeros([shape[0]], "bool"),
    };
    const { action, state: next } = policy.act(weights, view, state);
    return { action: around.execute(action), state: next };
  };
  const asked = (rows: number): Parameters<Asked> => [
    columns(spec.observation, rows),
    policy.start?.(rows) ?? {},
    givenTo(spec, rows, mask),
  ];
  return programFor(act, asked, written.tensors, source);
}

/** A function that acts, and what it is given. */
export type Asked = (observation: Tree, state: Tree, given: Given) => { action: Tree; state: Tree };

/** The program of a function that acts on any number of rows; `tensors` are those that it uses, by name. */
export function programFor(
  act: Asked,
  asked: (rows: number) => Parameters<Asked>,
  tensors: ReadonlyMap<string, Tensor>,
  source: string,
): Program {
  const { data, constants } =
    writeForExtent(act, asked) ??
    fail(source, "what it computes depends on the number of rows in another way than by their shapes.");
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
    needed({
      steps,
      weights: new Map(kept),
      inputs: [...named(observation, "observation"), ...named(given, ""), ...named(state, "state")],
      outputs: [...out(action, "action"), ...out(next, "next")],
    }),
    source,
  );
}

/** What a policy may look at beside observations. */
type Given = { readonly mask?: Tensor; readonly agent?: Tensor };

function givenTo(spec: EnvSpec, rows: number, mask: boolean): Given {
  return {
    ...(mask ? { mask: zeros([rows, maskSize(spec.action)], "bool") } : {}),
    ...(spec.agents ? { agent: zeros([rows], "i32") } : {}),
  };
}

/** The values of a tree by their paths. */
function named(names: Names, prefix: string): Port[] {
  if (names === null) return [];
  if (typeof names === "number") return [{ name: prefix, step: names }];
  return Object.entries(names).flatMap(([key, inner]) => named(inner, prefix ? `${prefix}.${key}` : key));
}
