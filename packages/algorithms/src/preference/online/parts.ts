import { type AlgorithmContext, fail, type JudgedEpisode, type LossTerm } from "@reins/core";
import * as judges from "@reins/core/judges";
import type { EpisodicParts } from "@reins/core/loops";
import { stream } from "@reins/core/random";
import * as tasks from "@reins/core/tasks";
import { optimisation, requireStage, scoreColumns } from "../parts.ts";
import { pairSelection } from "../selections.ts";
import type { OnlineSettings } from "./options.ts";

/** How a method that learns from comparisons of the policy's own completions differs from others. */
export interface OnlineMethod {
  /** The loss over pairs: the preferred completion of each prompt and the other one. */
  readonly loss: LossTerm;
  /** Samples of the reference policy for each prompt, compared with the policy's (default 0). */
  readonly references?: number;
  /** Further columns of a batch, one number per token (default: none). */
  readonly columns?: (judged: readonly JudgedEpisode[]) => { readonly [name: string]: Float32Array };
}

/** The parts of a method that learns from comparisons of the policy's own completions. */
export function onlineParts(
  name: string,
  o: OnlineSettings,
  context: AlgorithmContext,
  { loss, references = 0, columns }: OnlineMethod,
): EpisodicParts {
  const stage = requireStage(name, context);
  if (o.groupSize + references < 2)
    fail(name, `groupSize is ${o.groupSize}, but completions are compared in pairs. Set it to at least 2.`);
  if (references > 0 && !stage.samplingModes?.includes("reference"))
    fail(name, `${context.spec.id} cannot sample from the reference policy. Use a task of single answers.`);
  if (o.accumulate > o.groups)
    fail(name, `accumulate is ${o.accumulate} for ${o.groups} prompts per update. Set it to at most groups.`);
  const { groups, groupSize } = o;
  return {
    name,
    policy: stage.policy,
    reference: { penalised: true },
    rollout: stage.play,
    ...(context.task
      ? {}
      : {
          task: tasks.ofStage(stage, {
            seed: stream(context.seed, "tasks"),
            ...{ groups, groupSize },
            ...(references > 0 ? { more: { references } } : {}),
          }),
        }),
    // Win rates within the group order its completions.
    judge: judges.winRate(stage.judge, stage.prefer),
    selection: pairSelection(),
    from: ["policy", "teacher"],
    target: (batch, rewards, judged) => ({
      ...scoreColumns(batch, rewards, judged),
      ...columns?.(judged),
    }),
    loss,
    ...optimisation(o),
    epochs: o.epochs,
  };
}
