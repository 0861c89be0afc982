import type { EnvSpec, VectorEnv } from "./env.ts";
import { fail } from "./errors.ts";
import type { Stage } from "./stage.ts";

/** Stepped environments: their spec and how to make them. They can also be played as whole episodes. */
export interface StepEnvironment {
  readonly spec: EnvSpec;
  make(rows: number): VectorEnv;
  /** The place for evaluation, if it differs from training, for example with frozen statistics. */
  readonly evaluation?: StepEnvironment;
  readonly stage?: undefined;
}

/** A source of whole episodes without steps: language tasks, games by mail. */
export interface EpisodeEnvironment {
  readonly spec: EnvSpec;
  readonly stage: Stage;
  readonly make?: undefined;
}

/** A place without interaction: the data was recorded before, or the method brings its own. */
export interface RecordedEnvironment {
  readonly spec: EnvSpec;
  readonly make?: undefined;
  readonly stage?: undefined;
}

/** Where a run trains. */
export type Environment = StepEnvironment | EpisodeEnvironment | RecordedEnvironment;

/** What a method learns from: steps (environments only), episodes of a stage, both, or recorded examples: demonstrations or comparisons. */
export type LearnsFrom = "steps" | "episodes" | "both" | "demonstrations" | "comparisons";

/** What a method trains: a policy, or a reward model. */
export type Trains = "policy" | "reward";

/** Throws if a stage has the other kind of model: a reward model has no likelihood, and a policy scores no texts. */
export function checkTrained(name: string, trains: Trains, { spec, stage }: Environment): void {
  const has = stage?.trains ?? "policy";
  if (!stage || has === trains) return;
  fail(
    name,
    has === "reward"
      ? `${spec.id} has a reward model, and ${name} trains a policy. Use reward, or a stage with a policy.`
      : `${name} trains a reward model, and ${spec.id} has a policy. Build its stage with rewardStage(), or train by name: reins train reward pairs.jsonl --model ./model.`,
  );
}

/** Throws if a place lacks what the method learns from. */
export function checkEnvironment(
  name: string,
  learnsFrom: LearnsFrom,
  { spec, make, stage }: Environment,
): void {
  if (stage && learnsFrom === "steps")
    fail(
      name,
      `${spec.id} has whole episodes only, but ${name} learns from single steps. Use a method that learns from episodes, such as grpo; \`reins algorithms\` lists them.`,
    );
  if (learnsFrom === "comparisons" && !stage?.comparisons)
    fail(
      name,
      `${spec.id} has no compared completions, from which ${name} learns. Use a file whose lines have prompt, chosen and rejected.`,
    );
  if (make && learnsFrom === "demonstrations")
    fail(
      name,
      `${spec.id} is a stepped environment, but ${name} learns from examples. Pass a file of them, such as examples.jsonl; in this environment, use ppo or dqn.`,
    );
  if (make && learnsFrom === "episodes")
    fail(
      name,
      `${spec.id} is a stepped environment, but ${name} learns from episodes of a stage, such as a language task. Use ppo or dqn here.`,
    );
}

/** Returns the place, or throws if it has no environments. */
export function requireSteps(place: Environment): StepEnvironment {
  if (place.make) return place;
  return fail(
    place.spec.id,
    place.stage
      ? "it has whole episodes only, so it cannot be stepped. Use an environment."
      : "it has recorded data only. Use an environment.",
  );
}

/** So many copies of an environment. Throws if it makes another number: rows would belong to no copy, or to several. */
export function makeCopies(place: StepEnvironment, copies: number): VectorEnv {
  const env = place.make(copies);
  const rows = copies * (env.spec.agents?.names.length ?? 1);
  if (env.rows !== rows) {
    env.close?.();
    fail(
      place.spec.id,
      `its function made ${env.rows} ${env.rows === 1 ? "row" : "rows"}, but ${rows} were requested. Pass the number on: (rows) => make(id, { rows }).`,
    );
  }
  return env;
}
