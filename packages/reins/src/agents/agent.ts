import {
  type Breath,
  type CurrentPolicy,
  checkKeys,
  type Evaluated,
  type EvaluateOptions,
  evaluateWith,
  fail,
  Player,
  type PlayOptions,
  placeOf,
  type Run,
  requireSteps,
  type Served,
  type ServeOptions,
  type StepPlace,
  type VectorEnv,
} from "@reins/core";
import { placeAt } from "../places/place-at.ts";
import type { EnvLike, EnvSource } from "../places/source.ts";
import { writeAgent } from "./agent-file.ts";
import { writeBytes } from "./bytes.ts";
import type { ActingAgent } from "./content.ts";
import { contentOf, learnedSteps } from "./of-run.ts";
import { pilotsFor } from "./pilot.ts";
import { printedAs } from "./printed.ts";
import { placeFor } from "./where.ts";

/** How an agent is measured. */
export type AgentEvaluation = Omit<EvaluateOptions, "episodes"> & {
  /** Another environment than that of its training, of the same shape. */
  readonly env?: EnvLike;
  /** In words: answers that are drawn to each held-out problem, with `greedy: false`; pass@k and others are then in `measures`. */
  readonly samples?: number;
  /** Called between steps; may let other things happen. */
  readonly breath?: Breath;
};

/** How an agent is kept. */
export interface SaveOptions {
  /** Also keeps what training needs to go on elsewhere, by `train({ from })`: the optimiser's state and what was remembered. */
  readonly training?: boolean;
}

/** A trained agent: ask it for actions, measure it, keep it. */
export interface Agent extends ActingAgent {
  /** Its policy and the weights that it acts with. */
  readonly current: CurrentPolicy;
  /** Its return over fresh episodes, 100 by default, in the environment of its training or in another. */
  evaluate(episodes?: number, options?: AgentEvaluation): Promise<Evaluated>;
  /** Where it is measured and watched: the environment of its training or another, within the wrappers that it was trained in. */
  place(env?: EnvLike): Promise<StepPlace>;
  /**
   * One file that holds all it needs to act: weights, spaces, normalisation and the algorithm's name; no code and no environment. Resolves
   * to its bytes, which are written to `path` if there is one; `loadAgent` reads either.
   */
  save(path?: string, options?: SaveOptions): Promise<Uint8Array>;
  /** Writes the language model of a run in words as a Hugging Face folder, adapters folded in, with its tokenizer. */
  saveModel(folder: string): Promise<void>;
  /** Lets other programs on this machine talk to the model of a run in words, through the API of OpenAI. Close what it gives in the end. */
  serve(options?: ServeOptions): Promise<Served>;
  /** Writes the adapters alone of a run in words that learns some, as PEFT does: `adapter_config.json` and `adapter_model.safetensors`. */
  saveAdapters(folder: string): Promise<void>;
}

/** The agent of a run, as it is now: when the run goes on, the agent learns with it. */
export function agentOf(run: Run, options: PlayOptions = {}): Agent & { readonly run: Run } {
  const source: Run["options"]["env"] &
    Partial<Pick<EnvSource, "inside" | "masked" | "saveModel" | "saveAdapters">> = run.options.env;
  const { spec, wrap } = source.inside ?? { spec: source.spec, wrap: (env: VectorEnv) => env };
  const { stage } = source;
  const pilots = pilotsFor({
    spec,
    wrap,
    needsMask: () => source.masked?.() ?? false,
    decide: (env) => new Player(actingOf(run), env, options),
  });
  const place = async (env?: EnvLike) =>
    env === undefined
      ? placeOf(run)
      : placeFor({ spec, outer: requireSteps(source).spec, wrap }, await placeAt(env));
  const agent: Agent & { readonly run: Run } = {
    run,
    spec,
    place,
    algorithm: run.options.algorithm.name,
    get steps() {
      return learnedSteps(run);
    },
    get current() {
      return actingOf(run);
    },
    get masked() {
      return source.masked?.() ?? false;
    },
    act: (observation, mask) =>
      stage ? stage.answer(actingOf(run).weights, observation) : pilots.act(observation, mask),
    forget: pilots.forget,
    async evaluate(episodes = 100, { env, breath, spectator, ...rest } = {}) {
      const how = { ...options, episodes, ...rest };
      if (stage && env === undefined) return stage.evaluate(actingOf(run).weights, { ...how, breath });
      return measure(actingOf(run), await place(env), { ...how, spectator }, breath);
    },
    async save(path, saving = {}) {
      const training = withTraining(saving);
      const bytes = writeAgent(contentOf(run, training));
      if (path !== undefined) await writeBytes(path, bytes);
      return bytes;
    },
    async saveModel(folder) {
      if (!source.saveModel) noModel(spec.id);
      await source.saveModel(actingOf(run).weights, folder);
    },
    serve: async (options) => (stage?.serve ?? noWords(spec.id))(actingOf(run).weights, options),
    async saveAdapters(folder) {
      if (!source.saveAdapters) noAdapters(spec.id);
      await source.saveAdapters(actingOf(run).weights, folder);
    },
  };
  return printedAs(agent, inShort);
}

/** What is printed of an agent. */
export const inShort = ({ algorithm, spec, steps }: Agent) => ({ algorithm, env: spec.id, steps });

/** Whether an agent is kept with its training. */
export function withTraining(options: SaveOptions): boolean {
  checkKeys("save", options, ["training"]);
  return options.training ?? false;
}

/** Refuses to write a language model where there is none. */
export function noModel(id: string): never {
  return fail("saveModel", `${id} is no task in words by its name: there is no language model to write.`);
}

/** Refuses to serve where there is nothing to talk to. */
export function noWords(id: string): never {
  return fail("serve", `${id} is no task in words: there is nobody to talk to.`);
}

/** Refuses to write adapters where none learn. */
export function noAdapters(id: string): never {
  return fail(
    "saveAdapters",
    `${id} has no adapters. Learn some on a folder's model: envOptions: { folder, lora: 8 }.`,
  );
}

/** The return of a policy, with pauses for others if there are any. */
export function measure(
  current: CurrentPolicy,
  place: StepPlace,
  options: EvaluateOptions,
  breath: Breath | undefined,
): Evaluated | Promise<Evaluated> {
  // Waits where the environment answers later.
  return evaluateWith(breath ?? (() => undefined), current, place, options);
}

const actingOf = (run: Run) =>
  run.process.acting ?? fail("agent", `${run.options.algorithm.name} has no policy that acts.`);
