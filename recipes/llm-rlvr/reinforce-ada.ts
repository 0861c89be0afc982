import { groupParts, grpo, startGroups } from "@reins/algorithms";
import { define, type EpisodicParts, inGroups, selections, type Task, targets, tasks } from "@reins/core";
import { sorting } from "@reins/language/tasks";
import { recipe, type Trial } from "@reins/recipes";
import { imitated, mixed, reinforced } from "@reins/recipes/words";

const grid = { learningRate: [1.25e-4, 2.5e-4, 5e-4] } as const;

/** Three, five or eight letters to be sorted. */
const problems = (quick: boolean) => ({
  family: sorting,
  levels: quick ? [1] : [1, 2, 3],
  layers: 1,
  width: 48,
  limit: 10,
  imitation: quick ? 24_000 : 200_000,
});

/** Problems of an update, and answers of each that are learned from. */
const [groups, plays] = [32, 4];

type Change = Partial<Pick<EpisodicParts, "selection" | "target">> & { readonly task: Task };

/** GRPO with another task, and what belongs to it. */
const side = (name: string, change: (given: Task) => Change, scale: "std" | "none" = "none") => ({
  name,
  async run({ settings, seed, budget, quick, warm }: Trial<typeof grid>) {
    const words = problems(quick);
    const { task, ...parts } = change(mixed(words.levels, groups, plays, seed));
    const seen = { updates: 0, groups: 0, flat: 0, plays: 0 };
    const selection = selections.watch((played) => {
      seen.updates++;
      seen.plays += played.length;
      for (const group of inGroups(played)) {
        seen.groups++;
        seen.flat += Number(group.every((j) => j.reward === group[0].reward));
      }
    }, parts.selection);
    const algorithm = define({
      ...grpo.definition,
      start: (o, context) =>
        startGroups({ ...groupParts("grpo", o, context), ...parts, selection }, false, context),
    });
    const { also, byLevel, curve, ...outcome } = await reinforced({
      ...words,
      start: await warm(imitated(words)),
      algorithm: algorithm({ ...settings, scale, groups, plays, epochs: 1, clipNorm: 1 }),
      task,
      steps: budget,
      seed,
      problems: quick ? 20 : 200,
      also: ["policy/entropy", "reward/mean"],
    });
    return {
      ...outcome,
      value: also!.area,
      also: {
        ...also,
        final: curve[curve.length - 1],
        flatGroups: seen.flat / seen.groups,
        playsOfAProblem: seen.plays / seen.groups,
        updates: seen.updates,
        ...Object.fromEntries(byLevel.map((l) => [`solved/${l.level}`, l.solved])),
      },
    };
  },
});

/** Played in rounds of eight, four at most, until both outcomes are there; compared with the mean of all that was played. */
const adaptive =
  (enough: "balanced" | "positive", isGlobal = true) =>
  (given: Task): Change => {
    const both = tasks.rounds(given, { plays: 8, most: 4, keep: plays, enough });
    const target: EpisodicParts["target"] = (batch, _, judged) => ({
      advantage: targets.spread(targets.againstBaseline(judged), batch),
    });
    return { task: both, selection: both, ...(isGlobal ? { target } : {}) };
  };

export default recipe({
  id: "reinforce-ada",
  paper: "Reinforce-Ada: An Adaptive Sampling Framework for Reinforce-Style LLM Training",
  about:
    "With a few answers to each problem, most groups agree and teach nothing, although more answers would show both outcomes. Reinforce-Ada answers in rounds: problems with enough right and wrong answers retire, the others are answered again. Of each a few answers are kept, half of them right, and compared with the mean of all. Claimed: faster learning and a higher end than GRPO, most with balanced groups.",
  baseline: side("GRPO", (task) => ({ task }), "std"),
  system: side("Reinforce-Ada, balanced", adaptive("balanced")),
  ablations: [
    side("Reinforce-Ada, until one is right", adaptive("positive")),
    side("Reinforce-Ada, compared with what is kept alone", adaptive("balanced", false)),
  ],
  metric: { name: "mean held-out accuracy over training", better: "higher", worst: 0 },
  claim: { kind: "difference", smallest: 0.02 },
  grid,
  budget: { unit: "tokens", full: 100_000, quick: 2000 },
  deviations: [
    "Letters to be sorted by a model of one layer that imitated for a while stand for mathematics and models of 1.5 to 7 billion weights.",
    "Both sides may write the same number of tokens. The paper compares the same number of updates, for which Reinforce-Ada writes several times as much.",
    "The accuracy is of sampled answers, averaged over three levels and four times of training.",
    "Problems without both outcomes after the last round are left out; there they stay in the batch with advantages of 0.",
    "An update is one gradient step on 32 problems, not four on 512.",
  ],
  reason:
    "The mechanism works and does not pay at equal tokens: groups without differences fall from 67 to 26 %, but a problem takes 22 answers instead of 4, so there are 23 updates where GRPO makes 126. Stopping at the first right answer (14 answers, 33 updates) ends at the same accuracy, and comparing with what is kept alone is level with both: the baseline from all answers makes no difference here. The paper counts updates, for which more is written.",
});
