import { choice, define, fail, type Selection, setting, size } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { stream } from "@reins/core/random";
import * as selections from "@reins/core/selections";
import * as tasks from "@reins/core/tasks";
import * as nn from "@reins/nn";
import { accumulate, imitationRate, klEvery, textClipNorm } from "./options.ts";

/**
 * Rejection sampling (RAFT, Dong et al., 2023) and, with many batches per round, expert iteration (STaR, Zelikman
 * et al., 2022): sample several completions per problem, keep the successful ones, imitate them.
 */
export const rejection = define({
  name: "rejection",
  summary:
    "Imitates its own successes: rejection sampling, and expert iteration with rounds of several batches.",
  paper: "RAFT: Reward rAnked FineTuning for Generative Foundation Model Alignment (Dong et al., 2023)",
  options: {
    learningRate: imitationRate,
    clipNorm: textClipNorm,
    groups: size(32, "Problems per batch (8 to 1024).", { within: "count" }),
    groupSize: size(
      8,
      "Group size: completions per problem. More finds successes on harder ones (2 to 64).",
      {
        within: "count",
      },
    ),
    least: setting(1, "Minimum reward of an imitated completion (0 to 1).", { within: "any" }),
    keep: choice<"all" | "one">("all", ["all", "one"], "Which successes of a problem are imitated."),
    rounds: size(
      1,
      "Batches gathered before learning: 1 is rejection sampling, many are expert iteration (1 to 64).",
      { within: "count" },
    ),
    epochs: size(1, "Epochs over the gathered batches (1 to 8).", { within: "count" }),
    minibatches: size(1, "Minibatches per epoch (1 to 64).", { within: "count" }),
    accumulate,
    klEvery,
    weightDecay: size(0, "How fast weights shrink (0 to 0.1).", { within: "nonnegative" }),
  },
  learnsFrom: "episodes",
  parts(o, context, name): EpisodicParts {
    const stage =
      context.place.stage ?? fail(name, `${context.spec.id} is not a language task: it has no stage.`);
    return {
      name,
      policy: stage.policy,
      rollout: stage.play,
      judge: stage.judge,
      reference: { klEvery: o.klEvery },
      ...(context.task
        ? {}
        : {
            task: tasks.ofStage(stage, {
              seed: stream(context.seed, "tasks"),
              groups: o.groups,
              groupSize: o.groupSize,
            }),
          }),
      selection: selections.chain(
        gathered(o.rounds),
        best(() => o.least.value, o.keep),
      ),
      target: () => ({}),
      loss: losses.behaviourCloning(),
      optimiser: nn.adamW({ beta2: 0.95, weightDecay: o.weightDecay }),
      learningRate: o.learningRate,
      clipNorm: o.clipNorm,
      epochs: o.epochs,
      minibatches: o.minibatches,
      accumulate: o.accumulate,
      normalise: "none",
    };
  },
  begin: episodic,
});

/** Waits for this many batches. */
function gathered(rounds: number): Selection {
  let seen = 0;
  return {
    select(judged) {
      if (++seen < rounds) return undefined;
      seen = 0;
      return judged;
    },
  };
}

/** Successful samples only, all of them or one per group. */
function best(least: () => number, keep: "all" | "one"): Selection {
  return {
    select: (judged) =>
      groupEpisodes(judged).flatMap((group) => {
        const good = group.filter((j) => scoreOf(j) >= least());
        return keep === "one" ? good.slice(0, 1) : good;
      }),
  };
}
