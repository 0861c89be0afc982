import { type ActionScores, type AlgorithmContext, type Columns, fail } from "@reins/core";
import type { EpisodicParts } from "@reins/core/loops";
import { stream } from "@reins/core/random";
import type { SettingValue } from "@reins/core/settings";
import * as targets from "@reins/core/targets";
import * as tasks from "@reins/core/tasks";

/** What a method with a critic provides. */
export interface CriticSettings {
  readonly gamma: SettingValue;
  readonly lambda: SettingValue;
  /** Completions per batch. */
  readonly texts: number;
  /** Whether values and advantages are per token (default) or per turn. */
  readonly credit?: "token" | "turn";
}

/** The parts of training on completions with a critic; loss and optimiser are left to the method. */
export function criticParts(name: string, o: CriticSettings, context: AlgorithmContext) {
  const stage =
    context.place.stage ?? fail(name, `${context.spec.id} is not a language task: it has no stage.`);
  const policy =
    stage.critic ?? fail(name, `${context.spec.id} has no critic. Use grpo, or add a critic to its stage.`);
  return {
    name,
    policy,
    rollout: stage.play,
    judge: stage.judge,
    ...(context.task
      ? {}
      : {
          task: tasks.ofStage(stage, { seed: stream(context.seed, "tasks"), groups: o.texts, groupSize: 1 }),
        }),
    target: (batch, _rewards, judged) => ({ reward: targets.stepRewards(batch, judged) }),
    look: ({ value }: ActionScores, columns: Columns) => ({
      value: value!,
      ...(o.credit === "turn" ? targets.turnGae : targets.textGae)(o)({ ...columns, value: value! }),
    }),
  } satisfies Partial<EpisodicParts>;
}
