import { type Algorithm, type EnvSpec, fail, ReinsError, type Run } from "@reins/core";
import { interrupt, restore } from "@reins/core/snapshots";
import { showSpace } from "@reins/core/spaces";
import { type AgentContent, readAgent } from "../agents/agent-file.ts";
import { type AgentSource, bytesOf } from "../agents/bytes.ts";
import { setEarlierSteps } from "../agents/run-content.ts";
import { algorithmOf } from "../places/algorithm-by-name.ts";
import { namesCode } from "../places/module-path.ts";
import type { EnvOptions } from "../places/source.ts";
import { sourceOfAny, type Trainable } from "../places/trainable.ts";
import { type Assembly, type AssemblyOptions, assemble } from "./assembly.ts";
import { Listeners } from "./callbacks.ts";
import { withListeners } from "./env-listeners.ts";

/** Options of training from an agent; the agent's values are the defaults. */
export interface FromOptions extends Omit<AssemblyOptions, "place" | "algorithm"> {
  readonly algorithm?: string | Algorithm;
  readonly env?: Trainable;
  readonly envOptions?: EnvOptions;
}

/**
 * Creates a run that starts with the weights, optimiser state, replay buffer and wrapper statistics of an agent. Its
 * environments and its step count start anew, while the agent's own count continues; to continue a run exactly,
 * resume it.
 */
export async function resumeFrom(
  from: AgentSource,
  options: FromOptions,
  listeners = new Listeners(),
): Promise<{ assembly: Assembly; run: Run }> {
  const { content, name, env } = await loadLearner(from);
  const place = withListeners(
    await sourceOfAny(
      options.env ?? env ?? refuseEnv(name, content),
      options.envOptions,
      undefined,
      options.algorithm ?? content.algorithm,
    ),
    listeners,
  );
  const algorithm = await algorithmOf(options.algorithm ?? content.algorithm);
  const assembly = await assembleFrom(content, name, { ...options, algorithm, place });
  return { assembly, run: assembly.begin() };
}

/** An agent to train from, and its environment. */
export interface Learner {
  readonly content: AgentContent;
  /** Name in messages. */
  readonly name: string;
  /** The training environment: its id or file. Undefined if it is code that the user has not named before. */
  readonly env: string | undefined;
}

/** Reads an agent to train from: a file, a URL, bytes, or a run directory, whose last checkpoint holds the training state. */
export async function loadLearner(from: AgentSource): Promise<Learner> {
  const { agentFileOf, readRunFiles } = await import("#node");
  const { bytes, name } = await bytesOf(typeof from === "string" ? agentFileOf(from) : from);
  const content = readAgent(bytes, name);
  const { id } = content.spec;
  const named = (await mayBeMade(id)) ? id : undefined;
  const { training, env = named } = typeof from === "string" ? readRunFiles(name) : {};
  return { content: content.training || !training ? content : { ...content, training }, name, env };
}

/** Whether an environment can be created by name: it belongs to Reins or Gymnasium, or the user has named its code before. */
async function mayBeMade(id: string): Promise<boolean> {
  if (!namesCode(id)) return true;
  const { ids } = await import("../places/environments.ts");
  return ids().includes(id) || (await import("#node")).isTrusted(id);
}

/** Refuses to run the code that an agent file names as its environment: the file may come from anyone. */
export const refuseEnv = (name: string, { spec }: AgentContent): never =>
  fail(
    name,
    `the agent was trained on ${spec.id}, which is code, and an agent file may come from anyone. If you trust the code, name it: reins train --from ${name} ${spec.id}; in a program, pass \`env\`.`,
  );

/** Creates a run from an agent; given settings override the agent's. */
export async function assembleFrom(
  content: AgentContent,
  name: string,
  options: AssemblyOptions,
): Promise<Assembly> {
  const { algorithm: trainer, wrappers, training } = content;
  if (!training)
    fail(
      name,
      "the file has no training state. Save the agent with { training: true }, or pass its run directory.",
    );
  const { algorithm: wanted, settings } = options;
  const given = typeof wanted === "string" ? wanted : wanted.name;
  if (given !== trainer)
    fail(
      name,
      `the agent was trained by ${trainer}; ${given} cannot continue its training. Omit \`algorithm\`.`,
    );
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
      setEarlierSteps(run, content.steps);
      for (const [part, state] of Object.entries(training.parts)) {
        if (!(part in run.process.parts))
          fail(
            name,
            `it holds \`${part}\`, which ${trainer} does not have in this version of Reins. Use the version that wrote it.`,
          );
        try {
          restore(run.process.parts[part], state, part);
          // The environments begin anew.
          interrupt(run.process.parts[part]);
        } catch (error) {
          if (!(error instanceof ReinsError)) throw error;
          fail(name, `the saved state does not fit these settings: ${error.message} ${asBefore(trainer)}`);
        }
      }
      return run;
    },
  });
  return ofAgent(await assemble({ ...options, algorithm, wrappers: names, kept: wrappers }));
}

const asBefore = (trainer: string) =>
  `Omit \`algorithm\`, or pass ${trainer} with the settings of its training.`;

/** Refuses an environment with other spaces. */
function admitSpaces({ spec }: AgentContent, name: string, here: EnvSpec): void {
  for (const part of ["observation", "action"] as const) {
    const [was, is] = [columnsOf(spec[part]), columnsOf(here[part])];
    if (was !== is)
      fail(
        name,
        `the agent was trained on ${spec.id}, whose ${part} is ${showSpace(spec[part])}; that of ${here.id} is ${showSpace(here[part])}. Train a new agent there.`,
      );
  }
}

/** The properties of a space that determine the network: kinds and sizes, not bounds. */
const columnsOf = (space: EnvSpec["observation"]) =>
  JSON.stringify(space, (key, value) => (key === "low" || key === "high" ? undefined : value));

async function made(name: string, options: { readonly [option: string]: unknown }): Promise<Algorithm> {
  const { makerOf } = await import("../places/algorithms.ts");
  return makerOf(name)(options);
}
