import { type Algorithm, type EnvSpec, fail, ReinsError, type Run, restore, showSpace } from "@reins/core";
import { type AgentContent, readAgent } from "../agents/agent-file.ts";
import { type AgentSource, bytesOf } from "../agents/bytes.ts";
import { goesOnAfter } from "../agents/of-run.ts";
import { algorithmOf } from "../places/algorithm-named.ts";
import { namesCode } from "../places/module-path.ts";
import type { EnvOptions } from "../places/source.ts";
import { sourceOfAny, type Trainable } from "../places/trainable.ts";
import { type Assembly, type AssemblyOptions, assemble } from "./assembly.ts";
import { Listeners } from "./callbacks.ts";
import { observed } from "./observed.ts";

/** What may be asked for where training goes on from an agent; what is not is as it was. */
export interface FromOptions extends Omit<AssemblyOptions, "place" | "algorithm"> {
  readonly algorithm?: string | Algorithm;
  readonly env?: Trainable;
  readonly envOptions?: EnvOptions;
}

/**
 * A run that begins with what an agent has learned: weights, the optimiser's state, what was remembered and what wrappers had seen. Its
 * environments and its count of steps begin anew, so that it can go on elsewhere, while the agent's own count goes on; a run that goes on
 * exactly as it would have is resumed.
 */
export async function goFrom(
  from: AgentSource,
  options: FromOptions,
  listeners = new Listeners(),
): Promise<{ assembly: Assembly; run: Run }> {
  const { content, name, env } = await learnerIn(from);
  const place = observed(
    await sourceOfAny(options.env ?? env ?? refuseEnv(name, content), options.envOptions),
    listeners,
  );
  const algorithm = await algorithmOf(options.algorithm ?? content.algorithm);
  const assembly = await assembleFrom(content, name, { ...options, algorithm, place });
  return { assembly, run: assembly.begin() };
}

/** An agent that training is to go on with, and what was told of its environment. */
export interface Learner {
  readonly content: AgentContent;
  /** What messages call it. */
  readonly name: string;
  /** The environment of its training: its id, or its file. Undefined where that is code which the user has not named before. */
  readonly env: string | undefined;
}

/** An agent to go on with: from a file, an address or bytes, or from a run's folder, whose last checkpoint has what the agent's file leaves out. */
export async function learnerIn(from: AgentSource): Promise<Learner> {
  const { agentFileOf, besideAgent } = await import("#node");
  const { bytes, name } = await bytesOf(typeof from === "string" ? agentFileOf(from) : from);
  const content = readAgent(bytes, name);
  const { id } = content.spec;
  const named = (await mayBeMade(id)) ? id : undefined;
  const { training, env = named } = typeof from === "string" ? besideAgent(name) : {};
  return { content: content.training || !training ? content : { ...content, training }, name, env };
}

/** Whether an environment can be made by its name alone: it is one of Reins or Gymnasium, or the user has named its code before. */
async function mayBeMade(id: string): Promise<boolean> {
  if (!namesCode(id)) return true;
  const { ids } = await import("../places/environments.ts");
  return ids().includes(id) || (await import("#node")).isTrusted(id);
}

/** Refuses to run the code that an agent's file names for its environment: the file may come from anyone. */
export const refuseEnv = (name: string, { spec }: AgentContent): never =>
  fail(
    name,
    `it was trained on ${spec.id}, which is code, and an agent's file may come from anyone. If you know that code, name it: reins train --from ${name} ${spec.id}; in a program, pass \`env\`.`,
  );

/** A run that begins with what was kept of an agent; its settings are the agent's but for those that are given. */
export async function assembleFrom(
  content: AgentContent,
  name: string,
  options: AssemblyOptions,
): Promise<Assembly> {
  const { algorithm: trainer, wrappers, training } = content;
  if (!training)
    fail(
      name,
      "it can act and not learn: what training needs was left out. Save it with { training: true }, or name the folder of its run.",
    );
  const { algorithm: wanted, settings } = options;
  const given = typeof wanted === "string" ? wanted : wanted.name;
  if (given !== trainer)
    fail(name, `it was trained by ${trainer}; ${given} cannot go on with that. Leave \`algorithm\` out.`);
  const algorithm =
    typeof wanted === "string" ? await made(wanted, { ...training.options, ...settings }) : wanted;
  const names = options.wrappers ?? wrappers.map((w) => w.name);
  admitSpaces(content, name, options.place.spec);
  const ofAgent = (assembly: Assembly): Assembly => ({
    ...assembly,
    config: { ...assembly.config, learned: content.steps },
    seeded: (seed) => ofAgent(assembly.seeded(seed)),
    begin() {
      const run = assembly.begin();
      goesOnAfter(run, content.steps);
      for (const [part, state] of Object.entries(training.parts)) {
        if (!(part in run.process.parts))
          fail(name, `it holds \`${part}\`, which ${trainer} does not have here: it is of another version.`);
        try {
          restore(run.process.parts[part], state, part);
        } catch (error) {
          if (!(error instanceof ReinsError)) throw error;
          fail(
            name,
            `what it has learned does not fit the settings here: ${error.message} ${asBefore(trainer)}`,
          );
        }
      }
      return run;
    },
  });
  return ofAgent(await assemble({ ...options, algorithm, wrappers: names, kept: wrappers }));
}

const asBefore = (trainer: string) =>
  `Leave \`algorithm\` out, or give ${trainer} the settings that it was trained with.`;

/** Refuses a place where other things are seen or done: no network fits both. */
function admitSpaces({ spec }: AgentContent, name: string, here: EnvSpec): void {
  for (const part of ["observation", "action"] as const) {
    const [was, is] = [columnsOf(spec[part]), columnsOf(here[part])];
    if (was !== is)
      fail(
        name,
        `it was trained on ${spec.id}, whose ${part} is ${showSpace(spec[part])}; that of ${here.id} is ${showSpace(here[part])}. Train anew there.`,
      );
  }
}

/** What decides the form of a network: kinds and sizes, and not the bounds of numbers. */
const columnsOf = (space: EnvSpec["observation"]) =>
  JSON.stringify(space, (key, value) => (key === "low" || key === "high" ? undefined : value));

async function made(name: string, options: { readonly [option: string]: unknown }): Promise<Algorithm> {
  const { makerOf } = await import("../places/algorithms.ts");
  return makerOf(name)(options);
}
