import {
  type Adjustable,
  type Columns,
  type Context,
  type EpisodicParts,
  fail,
  type Scored,
  stream,
  targets,
  tasks,
} from "@reins/core";

/** What a method with a critic needs to know of itself. */
export interface CriticSettings {
  readonly gamma: Adjustable;
  readonly lambda: Adjustable;
  /** Texts in a batch. */
  readonly texts: number;
  /** Whether values and advantages are of tokens (default) or of turns. */
  readonly credit?: "token" | "turn";
}

/** The parts of learning from whole texts with a critic: what is left to choose is the loss and how it is followed. */
export function criticParts(name: string, o: CriticSettings, context: Context) {
  const stage = context.place.stage ?? fail(name, `${context.spec.id} has no stage to play on.`);
  const policy =
    stage.critic ?? fail(name, `${context.spec.id} has no critic. Use grpo, or give its stage one.`);
  return {
    name,
    policy,
    rollout: stage.play,
    judge: stage.judge,
    ...(context.task
      ? {}
      : { task: tasks.ofStage(stage, { seed: stream(context.seed, "tasks"), groups: o.texts, plays: 1 }) }),
    target: (batch, _rewards, judged) => ({ reward: targets.stepRewards(batch, judged) }),
    look: ({ value }: Scored, columns: Columns) => ({
      value: value!,
      ...(o.credit === "turn" ? targets.turnGae : targets.textGae)(o)({ ...columns, value: value! }),
    }),
  } satisfies Partial<EpisodicParts>;
}
