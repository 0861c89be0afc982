import { groupParts, grpo, startGroups } from "@reins/algorithms";
import { define, inGroups, type Selection, selections, type Task, tasks } from "@reins/core";
import { sorting } from "@reins/language/tasks";
import { recipe, type Trial } from "@reins/recipes";
import { imitated, mixed, reinforced } from "@reins/recipes/words";

const grid = { learningRate: [1e-4, 2e-4, 4e-4] } as const;

/** Three, five, eight or fourteen letters to be sorted: from nearly solved to out of reach. */
const problems = (quick: boolean) => ({
  family: sorting,
  levels: quick ? [1] : [1, 2, 3, 4],
  layers: 1,
  width: 48,
  limit: 16,
  imitation: quick ? 24_000 : 300_000,
});

/** Problems of an update, and answers to each. */
const [groups, plays] = [32, 8];

/** GRPO, with another choice of what is played and learned from. */
const side = (name: string, change: (given: Task) => { task: Task; selection?: Selection }) => ({
  name,
  async run({ settings, seed, budget, quick, warm }: Trial<typeof grid>) {
    const words = problems(quick);
    const { task, selection: inner } = change(mixed(words.levels, groups, plays, seed));
    const seen = { updates: 0, groups: 0, flat: 0, kept: 0, variance: 0 };
    const selection = selections.watch((played, chosen) => {
      seen.updates++;
      for (const group of inGroups(played)) {
        seen.groups++;
        seen.flat += Number(group.every((j) => j.reward === group[0].reward));
      }
      for (const group of inGroups(chosen)) {
        seen.kept++;
        seen.variance += tasks.shareOfVariance(group.map((j) => j.reward));
      }
    }, inner);
    const algorithm = define({
      ...grpo.definition,
      start: (o, context) => startGroups({ ...groupParts("grpo", o, context), selection }, false, context),
    });
    const { also, byLevel, curve, ...outcome } = await reinforced({
      ...words,
      start: await warm(imitated(words)),
      algorithm: algorithm({ ...settings, groups, plays, epochs: 1, clipNorm: 1 }),
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
        groupsOfAnUpdate: seen.kept / seen.updates,
        varianceLearnedFrom: seen.variance / seen.kept,
        updates: seen.updates,
        ...Object.fromEntries(byLevel.map((l) => [`solved/${l.level}`, l.solved])),
      },
    };
  },
});

const banked = (replays: number) => (given: Task) => {
  const both = tasks.varianceBank(given, { replays });
  return { task: both, selection: both };
};

export default recipe({
  id: "vcrl",
  paper: "VCRL: Variance-based Curriculum Reinforcement Learning for Large Language Models",
  about:
    "The variance of a group's rewards says how hard a problem is for the model as it is: highest where half of the answers are right. VCRL learns only from groups whose variance is at least a share of the greatest there can be (0.3, after 20 updates 0.8), and fills the batch with problems that had such a variance before, from a bank in which long waits raise the priority. Claimed: higher accuracy than GRPO, DAPO and GSPO.",
  baseline: side("GRPO", (task) => ({ task })),
  system: side("VCRL", banked(2)),
  ablations: [
    side("VCRL without the bank", banked(0)),
    side("dynamic sampling", (task) => ({ task, selection: selections.informative({ groups }) })),
  ],
  metric: { name: "mean held-out accuracy over training", better: "higher", worst: 0 },
  claim: { kind: "difference", smallest: 0.02 },
  grid,
  budget: { unit: "tokens", full: 100_000, quick: 2000 },
  deviations: [
    "Letters to be sorted by a model of one layer that imitated for a while stand for mathematics and models of 4 and 8 billion weights.",
    "Both sides may write the same number of tokens, what is left out included. The paper compares the same number of updates.",
    "Problems from the bank are answered anew by the model as it is, and come back if they still vary enough, at most twice. The paper leaves open whether old answers are used.",
    "Problems are endless: only those from the bank come twice.",
    "The accuracy is of sampled answers, averaged over four levels and four times of training.",
  ],
  reason:
    "What is learned from has the variance that was asked for (0.73 of the greatest, GRPO's 0.27), but the difference is half a point, far below what counts: groups without variance have advantages of 0 and cost GRPO nothing but their tokens, while VCRL plays on for banked problems and makes 35 updates where GRPO makes 47. Without the bank the result is the same; dynamic sampling, which plays on most, is a point lower. Levels that are hardly ever solved stay so on every side, and no choice of problems changes that in 100,000 tokens.",
});
