import type { Episode, Judge, Stage } from "@reins/core";
import { callJudge, totalOf } from "@reins/core/judges";
import { answerOf } from "@reins/language";
import { judged, type Outcome, type Specification } from "./circuits.ts";

/** A sampled program, compiled, run and tested, with its problem's data. */
export interface Program extends Outcome, Specification {
  readonly text: string;
}

/** The program of a sample. */
export function programOf(episode: Episode): Program {
  const { problem, text } = answerOf(episode);
  const specification = problem.data as Specification;
  return { ...specification, ...judged(text, specification), text };
}

/** Replaces the rewards of programs, for all samples of a batch together. The task score is still the share of tests. */
export const batchReward =
  (rewards: (programs: readonly Program[], episodes: readonly Episode[]) => readonly number[]) =>
  (stage: Stage): Stage => {
    const judge: Judge = async (episodes, context) => {
      const verdicts = await callJudge(stage.judge, episodes, context);
      const all = rewards(episodes.map(programOf), episodes);
      return verdicts.map((v, i) => ({ ...v, score: totalOf(v), reward: all[i] }));
    };
    return { ...stage, judge };
  };

/** Replaces the reward of programs. */
export const codeReward = (reward: (program: Program) => number): { change: (stage: Stage) => Stage } => ({
  change: batchReward((programs) => programs.map(reward)),
});
