import { choiceSizes } from "@reins/core/spaces";
import type { AgentContent } from "../../agents/agent-file.ts";
import { toJson } from "../../agents/agent-json.ts";
import type { Program } from "../graph.ts";
import { startOf } from "../start.ts";
import { arrayKind, Emitter } from "./emitter.ts";
import { type LoopName, loops } from "./loops/index.ts";
import { writeSteps } from "./operations.ts";
import { partsOf, stepNamed, typeText, valueText } from "./values.ts";

/** The code and the types of a module. */
export interface ModuleText {
  /** JavaScript: an ES module without imports. */
  readonly code: string;
  /** Its declarations, for TypeScript. */
  readonly types: string;
}

/** Writes a program of one row as a module. */
export function writeModule(content: AgentContent, program: Program, source: string): ModuleText {
  const { spec } = content;
  // Rejects unsupported actions before anything is written.
  partsOf(spec.action, "action", source);
  const e = new Emitter(program.steps, source);
  const { bytes, views } = packed(program);
  for (const [step, { name }] of views) e.set(step, name);
  const rest = program.inputs.filter((p) => ["mask", "agent"].includes(p.name)).map((p) => p.name);
  const state = program.inputs.filter((p) => p.name.startsWith("state"));
  const takes: string[] = [];
  const take = (name: string, access: string) => {
    const step = stepNamed(program.inputs, name, source);
    takes.push(`put(${e.make(step)}, ${access}, ${JSON.stringify(name)});`);
  };
  for (const { name, access } of partsOf(spec.observation, "observation", source)) take(name, access);
  if (rest.includes("agent")) take("agent", "options.agent");
  if (rest.includes("mask")) {
    const how = `act(observation, ${state.length ? "state, " : ""}{ mask })`;
    takes.push(
      `allow(${e.make(stepNamed(program.inputs, "mask", source))}, options, [${choiceSizes(spec.action)}], ${JSON.stringify(how)});`,
    );
    e.text.loops.add("allow");
  }
  state.forEach(({ name }, i) => void take(name, `state[${i}]`));
  e.text.loops.add("put");
  const given = new Set([...program.inputs.map((p) => p.step), ...views.keys()]);
  writeSteps(e, (i) => given.has(i));
  const arrayOf = (name: string) => e.at(stepNamed(program.outputs, name, source));
  const action = valueText(spec.action, "action", arrayOf);
  const next = state.map(({ name }) => `${arrayOf(name.replace("state", "next"))}.slice()`);
  const options = rest.length ? ", options = {}" : "";
  const loopText = [...e.text.loops].map((name: LoopName) => `const ${name} = ${loops[name]};`);
  const starts = startOf(content, program).map(({ name, values }) => {
    const { dtype } = program.steps[stepNamed(program.inputs, name, source)];
    const all = values.every((v) => v === 0) ? values.length : `[${values}]`;
    return `new ${arrayKind(dtype)}(${all})`;
  });
  const code = [
    heading(content),
    `export const about = ${literal(aboutOf(content))};`,
    ...(bytes.length
      ? [
          `const weights = Uint8Array.from(atob(${JSON.stringify(base64(bytes))}), (c) => c.charCodeAt(0)).buffer;`,
        ]
      : []),
    ...[...views.values()].map(({ text }) => text),
    ...e.text.arrays,
    ...loopText,
    ...(state.length ? [`export const start = () => [${starts.join(", ")}];`] : []),
    state.length
      ? `export function act(observation, state = start()${options}) {`
      : `export function act(observation${options}) {`,
    ...[...takes, ...e.lines].map((line) => `  ${line}`),
    state.length ? `  return { action: ${action}, state: [${next.join(", ")}] };` : `  return ${action};`,
    "}",
    "",
  ].join("\n");
  return { code, types: typesOf(content, program) };
}

const aboutOf = ({ spec, algorithm, steps }: AgentContent) => ({
  env: spec.id,
  algorithm,
  steps,
  observation: spec.observation,
  action: spec.action,
});

/** Plain data as JavaScript, with infinite bounds as numbers. */
const literal = (value: unknown) => toJson(value).replace(/\{"\$number":"(-?\w+)"\}/g, "$1");

/** A header comment; line breaks in names must not end it. */
const heading = ({ spec, algorithm, steps }: AgentContent) =>
  `// ${`An agent for ${spec.id}, trained by ${algorithm} for ${steps} steps; written by reins export.`.replace(/[\r\n\u2028\u2029]/g, " ")}`;

/** The weights of a program in one buffer, four-byte types first, and the arrays that view it. */
function packed({ weights, steps }: Program) {
  const all = [...weights].sort(
    ([, a], [, b]) => b.tensor.data.BYTES_PER_ELEMENT - a.tensor.data.BYTES_PER_ELEMENT,
  );
  const bytes = new Uint8Array(all.reduce((n, [, { tensor }]) => n + tensor.data.byteLength, 0));
  const views = new Map<number, { name: string; text: string }>();
  let offset = 0;
  for (const [step, { tensor }] of all) {
    const { buffer, byteOffset, byteLength, length } = tensor.data;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    const name = `w${views.size}`;
    const kind = arrayKind(steps[step].dtype);
    views.set(step, { name, text: `const ${name} = new ${kind}(weights, ${offset}, ${length});` });
    offset += byteLength;
  }
  return { bytes, views };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // The number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

function typesOf({ spec }: AgentContent, { inputs, steps }: Program): string {
  const state = inputs.filter((p) => p.name.startsWith("state"));
  const fields = inputs.flatMap(({ name }) =>
    name === "mask"
      ? ["/** 1 for each allowed choice, and 0 for the others. */ readonly mask: Mask"]
      : name === "agent"
        ? ["/** Index of the agent that acts. */ readonly agent: number"]
        : [],
  );
  const masked = inputs.some((p) => p.name === "mask");
  const optional = fields.length ? "" : "?";
  const options = fields.length
    ? `, options${optional}: ${masked ? "Mask | " : ""}{ ${fields.join("; ")} }`
    : "";
  const kinds = state.map(({ step }) => arrayKind(steps[step].dtype));
  return [
    "/** Row-major numbers, flat or nested. */",
    "export type Numbers = ArrayLike<number> | readonly Numbers[];",
    ...(masked ? ["/** The allowed choices. */", "export type Mask = ArrayLike<number | boolean>;"] : []),
    `export type Observation = ${typeText(spec.observation, false)};`,
    `export type Action = ${typeText(spec.action, true)};`,
    "/** Environment, algorithm, training steps and spaces of the agent. */",
    "export declare const about: { readonly env: string; readonly algorithm: string; readonly steps: number; readonly observation: unknown; readonly action: unknown };",
    ...(state.length
      ? [
          "/** The recurrent state of the agent. */",
          `export type State = readonly [${kinds.join(", ")}];`,
          "/** The initial state of an episode. */",
          "export declare function start(): State;",
          "/** The greedy action and the next state. */",
          `export declare function act(observation: Observation, state${optional && "?"}: State${optional ? "" : " | undefined"}${options}): { readonly action: Action; readonly state: State };`,
        ]
      : [
          "/** The greedy action for an observation. */",
          `export declare function act(observation: Observation${options}): Action;`,
        ]),
    "",
  ].join("\n");
}
