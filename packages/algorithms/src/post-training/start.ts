import {
  type Adjustable,
  actorCritic,
  against,
  type Columns,
  type Context,
  copyTree,
  type EpisodicParts,
  episodic,
  fail,
  type Judged,
  judges,
  type Policy,
  type Process,
  targets,
} from "@reins/core";
import * as nn from "@reins/nn";
import { add, type Tensor, type Tree, tensor, treeMap, zerosLike } from "@reins/tensor";
import { plays } from "../plays.ts";
import { advantages } from "./advantages.ts";
import { lossOf } from "./loss.ts";
import type { Settings } from "./options.ts";
import { judgeOf, problemsOf, selectionOf } from "./problems.ts";

/** The parts of a method that compares plays, for methods that replace one of them. */
export function groupParts(name: string, o: Settings, context: Context): EpisodicParts {
  const { stage } = context;
  const policy = stage?.policy ?? (actorCritic(context.spec, { ...o, critic: false }) as Policy);
  const selection = selectionOf(o);
  const tied = o.klWeight.setting !== 0;
  const inReward = tied && o.klPlace === "reward";
  const corrects = o.correction.setting !== 0;
  if (inReward && !policy.memory)
    fail(
      name,
      `on ${context.spec.id} the divergence cannot be paid for in the reward: that needs a task in words. Set klPlace to loss.`,
    );
  return {
    name,
    policy,
    ...(stage ? { rollout: stage.play } : { envs: plays(context, o.groups * o.plays) }),
    judge: judgeOf(o, stage?.judge ?? judges.environment, stage?.limit ?? context.spec.maxSteps ?? 1),
    ...(context.task ? {} : { task: problemsOf(o, context) }),
    ...(selection ? { selection } : {}),
    ...(o.teachers > 0 ? { from: ["policy", "teacher"] as const } : {}),
    target: (batch, rewards, judged) => ({
      advantage: targets.spread(advantages(o, batch, rewards, judged), batch),
    }),
    ...(inReward || corrects
      ? {
          look: (judged: Judged, columns) => ({
            ...(corrects ? { proximal: judged.logProb } : {}),
            ...(inReward
              ? {
                  advantage: add(columns.advantage as Tensor, divergenceToCome(columns, judged, o.klWeight)),
                }
              : {}),
          }),
        }
      : {}),
    loss: lossOf(o, stage?.limit),
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: "none",
  };
}

/** A process of these parts; with a divergence in it, one that is tied to the weights it begins with. */
export function startGroups(
  parts: EpisodicParts,
  tied: boolean,
  context: Context,
): Omit<Process, "settings"> {
  if (!tied) return episodic(parts, context);
  const reference = { weights: {} as Tree, taken: Int32Array.of(0) };
  const process = episodic(
    { ...parts, policy: against(parts.policy as Policy, () => reference.weights) },
    context,
  );
  const { weights } = process.acting!;
  reference.weights = treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), weights);
  Object.assign(process.parts, { reference });
  const { step } = process;
  return Object.assign(process, {
    // What it begins with is known at the first step: an earlier phase may have left its weights.
    step() {
      if (!reference.taken[0]) copyTree(reference.weights, weights);
      reference.taken[0] = 1;
      return step();
    },
  });
}

/** What the divergence from the reference will cost from each step on. */
function divergenceToCome(columns: Columns, judged: Judged, weight: Adjustable): Tensor {
  const nothing = zerosLike(judged.logProb);
  const reward = targets.paidForDivergence(
    { ...columns, reward: nothing },
    judged.logProb,
    judged.extra!.reference,
    weight,
  );
  return targets.gaeOverText({ gamma: 1, lambda: 1 })({ ...columns, reward, value: nothing }).advantage;
}
