import {
  type AlgorithmContext,
  type Episode,
  fail,
  type JudgedEpisode,
  type LossTerm,
  type Selection,
} from "@reins/core";
import * as judges from "@reins/core/judges";
import type { EpisodicParts } from "@reins/core/loops";
import { stream } from "@reins/core/random";
import * as tasks from "@reins/core/tasks";
import { optimisation, requireStage, scoreColumns } from "../parts.ts";
import { pairSelection } from "../selections.ts";
import type { OnlineSettings } from "./options.ts";

/** How a method that learns from comparisons of the policy's own completions differs from others. */
export interface OnlineMethod {
  /** The loss over the selected completions. */
  readonly loss: LossTerm;
  /** Which completions are trained on (default: the preferred one of each prompt and the worst one, without ties). */
  readonly selection?: Selection;
  /** Whether all completions of a prompt are trained on in pairs, so that their number is even. */
  readonly paired?: boolean;
  /** Whether the loss reads log-probabilities of the reference policy (default true). */
  readonly reference?: boolean;
  /** Whether the loss needs samples of the current weights, so that a batch has one update. */
  readonly onPolicy?: boolean;
  /** Samples of the reference policy for each prompt, compared with the policy's (default 0). */
  readonly references?: number;
  /** Weight of the reference policy in these samples; the policy has the rest (default 1). */
  readonly mixture?: number;
  /** The episodes that win rates are against (default: all of the prompt). */
  readonly opponents?: (episode: Episode) => boolean;
  /** Further columns of a batch, one number per token (default: none). */
  readonly columns?: (judged: readonly JudgedEpisode[]) => { readonly [name: string]: Float32Array };
}

/** The parts of a method that learns from comparisons of the policy's own completions. */
export function onlineParts(
  name: string,
  o: OnlineSettings,
  context: AlgorithmContext,
  method: OnlineMethod,
): EpisodicParts {
  const { loss, references = 0, mixture = 1, columns, reference = true, opponents } = method;
  const stage = requireStage(name, context);
  if (o.groupSize + references < 2)
    fail(name, `groupSize is ${o.groupSize}, but completions are compared in pairs. Set it to at least 2.`);
  if (references > 0 && !stage.samplingModes?.includes(mixture < 1 ? "mixture" : "reference"))
    fail(name, `${context.spec.id} cannot sample from the reference policy. Use a task of single answers.`);
  if (method.paired && o.groupSize % 2 > 0)
    fail(
      name,
      `groupSize is ${o.groupSize}, but all completions are trained on in pairs. Set it to an even number.`,
    );
  if (method.onPolicy && o.epochs > 1)
    fail(name, `epochs is ${o.epochs}, but the gradient is that of the policy that sampled. Set it to 1.`);
  if (o.accumulate > o.groups)
    fail(name, `accumulate is ${o.accumulate} for ${o.groups} prompts per update. Set it to at most groups.`);
  const { groups, groupSize } = o;
  return {
    name,
    policy: stage.policy,
    ...(reference ? { reference: { penalised: true } } : {}),
    rollout: stage.play,
    ...(context.task
      ? {}
      : {
          task: tasks.ofStage(stage, {
            seed: stream(context.seed, "tasks"),
            ...{ groups, groupSize },
            ...(references > 0 ? { more: { references, ...(mixture < 1 ? { mixture } : {}) } } : {}),
          }),
        }),
    // Win rates within the group order its completions.
    judge: judges.winRate(stage.judge, stage.prefer, opponents ? { opponents } : {}),
    selection: method.selection ?? pairSelection(),
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
