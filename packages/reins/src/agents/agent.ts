import {
  type ActOptions,
  type CurrentPolicy,
  type EvaluationResult,
  fail,
  type Run,
  type ServeOptions,
  type ServerHandle,
  type StepEnvironment,
  type VectorEnv,
  type YieldHook,
} from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { type EvaluateOptions, evaluateAsync, placeOf } from "@reins/core/evaluations";
import { requireSteps } from "@reins/core/forms";
import { PolicyRunner } from "@reins/core/policies";
import { placeAt } from "../places/place-at.ts";
import type { EnvLike, EnvSource } from "../places/source.ts";
import { evaluationPlace } from "./agent-env.ts";
import { writeAgent } from "./agent-file.ts";
import { writeBytes } from "./bytes.ts";
import type { ActingAgent } from "./content.ts";
import { inspectAs } from "./inspect.ts";
import { pilotsFor } from "./pilot.ts";
import { contentOf, learnedSteps } from "./run-content.ts";

/** Options of an evaluation. */
export type AgentEvaluation = Omit<EvaluateOptions, "episodes"> & {
  /** Another environment with the same spaces instead of the training environment. */
  readonly env?: EnvLike;
  /** Language tasks: completions sampled per held-out problem, with `greedy: false`; pass@k and similar metrics are then in `measures`. */
  readonly samples?: number;
  /** Called between steps; may yield to the event loop. */
  readonly yieldHook?: YieldHook;
};

/** Options of `save`. */
export interface SaveOptions {
  /** Also saves the training state (optimiser and replay buffer), which `train({ from })` needs. */
  readonly training?: boolean;
}

/** A trained agent: acts, can be evaluated, and can be saved. */
export interface Agent extends ActingAgent {
  /** The policy and its weights. */
  readonly current: CurrentPolicy;
  /** Evaluates the agent over new episodes (default 100), in the training environment or in another. */
  evaluate(episodes?: number, options?: AgentEvaluation): Promise<EvaluationResult>;
  /** The environment to evaluate in: the training environment or another, with the wrappers of training. */
  place(env?: EnvLike): Promise<StepEnvironment>;
  /**
   * Saves one file with everything needed to act: weights, spaces, normalisation and the algorithm's name; no code and no environment.
   * Resolves to its bytes, which are also written to `path` if given; `loadAgent` reads either.
   */
  save(path?: string, options?: SaveOptions): Promise<Uint8Array>;
  /** Writes the language model as a Hugging Face folder with its tokenizer; adapters are merged into it. */
  saveModel(folder: string): Promise<void>;
  /** Serves the language model to other programs on this machine through the OpenAI API. Close the returned server when done. */
  serve(options?: ServeOptions): Promise<ServerHandle>;
  /** Writes only the adapters of a language model, in the format of PEFT: `adapter_config.json` and `adapter_model.safetensors`. */
  saveAdapters(folder: string): Promise<void>;
}

/** The agent of a run. Its weights change as the run continues. */
export function agentOf(run: Run, options: ActOptions = {}): Agent & { readonly run: Run } {
  const source: Run["options"]["env"] &
    Partial<Pick<EnvSource, "inside" | "masked" | "saveModel" | "saveAdapters">> = run.options.env;
  const { spec, wrap } = source.inside ?? { spec: source.spec, wrap: (env: VectorEnv) => env };
  const { stage } = source;
  const pilots = pilotsFor({
    spec,
    wrap,
    needsMask: () => source.masked?.() ?? false,
    decide: (env) => new PolicyRunner(actingOf(run), env, options),
  });
  const place = async (env?: EnvLike) =>
    env === undefined
      ? placeOf(run)
      : evaluationPlace({ spec, outer: requireSteps(source).spec, wrap }, await placeAt(env));
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
    async evaluate(episodes = 100, { env, yieldHook, spectator, ...rest } = {}) {
      const how = { ...options, episodes, ...rest };
      if (stage && env === undefined) return stage.evaluate(actingOf(run).weights, { ...how, yieldHook });
      return measure(actingOf(run), await place(env), { ...how, spectator }, yieldHook);
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
  return inspectAs(agent, inShort);
}

/** Summary that `console.log` prints. */
export const inShort = ({ algorithm, spec, steps }: Agent) => ({ algorithm, env: spec.id, steps });

/** Whether to save the training state. */
export function withTraining(options: SaveOptions): boolean {
  checkKeys("save", options, ["training"]);
  return options.training ?? false;
}

export function noModel(id: string): never {
  return fail("saveModel", `${id} is not a named language task, so it has no language model to write.`);
}

export function noWords(id: string): never {
  return fail("serve", `${id} is not a language task, so it has no model to serve.`);
}

export function noAdapters(id: string): never {
  return fail(
    "saveAdapters",
    `${id} has no adapters. Train some on the model of a folder: envOptions: { folder, lora: 8 }.`,
  );
}

/** Evaluates a policy; yields to the event loop if `yieldHook` is given. */
export function measure(
  current: CurrentPolicy,
  place: StepEnvironment,
  options: EvaluateOptions,
  yieldHook: YieldHook | undefined,
): EvaluationResult | Promise<EvaluationResult> {
  // Awaits environments that answer asynchronously.
  return evaluateAsync(yieldHook ?? (() => undefined), current, place, options);
}

const actingOf = (run: Run) =>
  run.process.acting ?? fail("agent", `${run.options.algorithm.name} has no acting policy.`);
