import { grpo } from "@reins/algorithms";
import type { Arm } from "@reins/recipes";
import { arm, sums } from "../testbeds/sums.ts";
import { experience, type Pool, withReplay } from "./rlep.parts.ts";

/** Phase two: training from the start, with replay from the pool of phase one. */
const phaseTwo = (name: string, of: (pool: Pool) => Pool): Arm => ({
  name,
  async run(trial) {
    const pool = of(await trial.warm(experience(trial)));
    return arm(name, grpo, { clipHigh: 0.28 }, { parts: withReplay(pool, trial.seed) }).run(trial);
  },
});

export default sums.recipe({
  id: "rlep",
  paper: "RLEP: Reinforcement Learning with Experience Replay for LLM Reasoning",
  source: {
    paper: "arXiv:2507.07451",
    code: "Kwai-Klear/RLEP",
    equations:
      "(4) and (5); fit in recipe/dapo/dapo_ray_trainer.py, with the settings of recipe/rlep/rlep_training.sh",
  },
  about:
    "A first run of reinforcement learning yields a pool of correct answers to the training problems. A second run begins with the initial model, and each group of new samples is joined by two correct answers from the pool. Advantages are over the joint group, and ratios are relative to the policy at the start of the update for all its members. Claimed: the baseline's best accuracy after a third of the updates, and a higher final accuracy.",
  system: phaseTwo("RLEP", (pool) => pool),
  ablation: phaseTwo("RLEP without replay", () => ({})),
  presupposes: {
    hard: { least: 0.3, because: "replay helps with problems that the policy rarely solves by itself" },
  },
  claims: [
    { metric: "area", paper: "peak accuracy after 135 updates in place of 380" },
    { metric: "accuracy", paper: "1.7 to 5.2 points" },
  ],
  deviations: [
    "The tokens of phase one are not counted, as in the paper: RLEP generates twice as many as the baselines in all.",
    "The pool has up to eight different correct answers of a problem from the last quarter of phase one; the authors sample 64 answers with the final policy, and drop problems with fewer than two correct ones.",
  ],
  finding: (f) =>
    `Against the best baseline RLEP changes accuracy over training by ${f.effect(0)} and final accuracy by ${f.effect(1)} over ${f.count} seeds, without the tokens of phase one. Final accuracy is ${f.mean("RLEP", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without replay ${f.mean("RLEP without replay", "accuracy")}), at the hardest level ${f.mean("RLEP", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
