import { grpo } from "@reins/algorithms";
import {
  type AlgorithmContext,
  type Episode,
  type EpisodeSource,
  fail,
  type JudgedEpisode,
  type Task,
} from "@reins/core";
import { makers } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { mul, neg, type Tensor, tensor, where } from "@reins/tensor";

type Settings = Parameters<NonNullable<Parameters<typeof grpo.with>[1]["parts"]>>[1];

const [teacher, hint] = [makers.indexOf("teacher"), makers.indexOf("hint")];
const makersOf = ({ columns }: Episode) => [...(columns.by as Tensor).data];

/** Number of steps of an episode that came from a trace: a demonstration or a hint. */
export const tracedSteps = (episode: Episode): number =>
  makersOf(episode).filter((maker) => maker === teacher || maker === hint).length;

/** Samples whose hints are the steps of a teacher, so that losses see them. */
export const learningHints = (judged: readonly JudgedEpisode[]): JudgedEpisode[] =>
  judged.map((j) => {
    const by = makersOf(j.episode).map((maker) => (maker === hint ? teacher : maker));
    const columns = { ...j.episode.columns, by: tensor(Uint8Array.from(by), { dtype: "u8" }) };
    return { ...j, episode: { ...j.episode, columns } };
  });

/** A source whose steps include those that traces gave, so that methods that read traces generate less on the same budget. */
export function countTraces(inner: EpisodeSource): EpisodeSource {
  let given = 0;
  const count = (episodes: readonly Episode[]) => {
    for (const episode of episodes) given += tracedSteps(episode);
    return episodes;
  };
  return {
    get steps() {
      return inner.steps + given;
    },
    next() {
      const episodes = inner.next();
      return episodes instanceof Promise ? episodes.then(count) : count(episodes);
    },
    save: () => ({ inner: inner.save(), given }),
    restore(from) {
      const s = from as { inner: Parameters<EpisodeSource["restore"]>[0]; given: number };
      inner.restore(s.inner);
      given = s.given;
    },
  };
}

/** What a method that reads traces changes of GRPO, given the task, the settings and GRPO's own parts. */
export type TracedParts = (
  task: Task,
  settings: Settings,
  inner: EpisodicParts,
  context: AlgorithmContext,
) => Partial<EpisodicParts>;

/** GRPO that also reads traces. Their tokens count towards the budget. */
export const tracedGrpo = (name: string, parts: TracedParts) =>
  grpo.with(name, {
    parts(inner, settings, context) {
      const { task } = context;
      const play = inner.rollout;
      if (!task || !play) return fail(name, "needs a language task with training problems.");
      return {
        rollout: (input) => countTraces(play(input)),
        from: ["policy", "teacher"],
        ...parts(task, settings, inner, context),
      };
    },
  });

/** The loss of demonstrations is their negative log-likelihood times the advantage; `inner` is the loss of samples. */
export const imitating =
  (inner: losses.Ratio): losses.Ratio =>
  (input) => {
    const taught = input.columns.taught as Tensor | undefined;
    return taught ? where(taught, neg(mul(input.advantage, input.logProb)), inner(input)) : inner(input);
  };

/** Parts in which samples have the advantages of their groups, without the demonstrations, whose log-likelihood has the given weight. */
export const imitationParts = (
  weight: number,
  { clip }: Settings,
): Pick<EpisodicParts, "target" | "loss"> => ({
  target(batch, rewards, judged) {
    const groups = targets.groupsOf(batch);
    const isTrace = judged.map((j) => j.episode.role === "teacher");
    const advantage = targets.groupRelative(
      rewards,
      groups.map((group, i) => (isTrace[i] ? -1 - i : group)),
    );
    return {
      advantage: targets.spread(
        advantage.map((a, i) => (isTrace[i] ? weight : a)),
        batch,
      ),
    };
  },
  loss: losses.policyGradient({ ratio: imitating(losses.clipped(clip)), clip }),
});

/** GRPO with a supervised term of fixed weight on the trace of every problem of a batch. */
export const supervisedGrpo = (weight: number) =>
  tracedGrpo("supervised-grpo", (task, settings) => ({
    task: {
      ...task,
      next: (statistics) => task.next(statistics).map((p) => ({ ...p, teachers: 1 })),
    },
    ...imitationParts(weight, settings),
  }));
