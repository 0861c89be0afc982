import type { Episode, JudgedEpisode, ScoringPolicy, Task } from "@reins/core";
import { makers, scoreOf } from "@reins/core/episodes";
import { episodeScores } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { defaultRng, stream } from "@reins/core/random";
import { exp, type Tensor, type Tree, tensor } from "@reins/tensor";
import { rounds } from "../shared/rounds.ts";
import { countTraces, tracedGrpo } from "../shared/traces.ts";
import { teachers, tracesTask } from "../testbeds/traces.ts";

/** A trace of which only the step that writes the result counts: the last one before the end of the text. */
export function resultOnly(trace: Episode): Episode {
  const { data } = trace.columns.by as Tensor;
  const by = Uint8Array.from(data, (maker, i) =>
    i === data.length - 2 ? maker : makers.indexOf("environment"),
  );
  return { ...trace, columns: { ...trace.columns, by: tensor(by, { dtype: "u8" }) } };
}

/** Comprehension of a trace: the probability of the result after its steps. */
function comprehension(policy: ScoringPolicy): (weights: Tree, trace: Episode) => number {
  const scores = episodeScores(policy, "teacher", ({ logProb }) => ({ p: exp(logProb) }));
  return (weights, trace) => scores(weights, [resultOnly(trace)]).p;
}

/** Groups without a success get the traces of all teachers, of which the best two by `score` replace two samples. */
export const injected = (given: Task, score: (trace: JudgedEpisode) => number) =>
  rounds(given, {
    next({ problem, rounds: all }) {
      const lead = teachers[all.length - 1];
      return lead !== undefined && all[0].every((j) => scoreOf(j) < 1)
        ? { ...problem, groupSize: 0, teachers: 1, context: { ...problem.context, lead } }
        : undefined;
    },
    choose({ rounds: [own, ...traces] }) {
      const scored = traces.flat().map((trace) => ({ trace, score: score(trace) }));
      const best = scored.sort((a, b) => b.score - a.score).slice(0, 2);
      return [...own.slice(best.length), ...best.map((s) => s.trace)];
    },
  });

/** GRPO with guidance on demand. A token of a trace has the weight π / (π + 0.1). */
export const ampo = (comprehends: boolean) =>
  tracedGrpo("ampo", (task, { clip }, { policy, rollout }, { seed }) => {
    const random = defaultRng(stream(seed, "ampo"));
    const understood = comprehension(policy);
    let weights: Tree;
    return {
      rollout(input) {
        weights = input.weights;
        return countTraces(rollout!(input));
      },
      ...injected(task, ({ episode }) => (comprehends ? understood(weights, episode) : random.random())),
      loss: losses.aggregated(
        "constant",
        losses.policyGradient({ ratio: losses.teacherRatio(losses.clipped(clip)), clip }),
        tracesTask.longest.answer,
      ),
    };
  });
