import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import { arm, sums } from "../testbeds/sums.ts";
import { quantisedRollouts } from "./qerl.parts.ts";

/** As in the authors' program, ratios are relative to the policy at the start of the update, not to the one that sampled. */
const qerl = grpo.with("qerl", { look: (scored) => ({ logProb: scored.logProb }) });
const quantised = (noisy: boolean) => ({
  change: (stage: Stage): Stage => ({ ...stage, play: quantisedRollouts(stage, noisy) }),
});

export default sums.recipe({
  id: "qerl",
  paper: "QeRL: Beyond Efficiency -- Quantization-enhanced Reinforcement Learning for LLMs",
  source: {
    paper: "arXiv:2510.11696",
    code: "NVlabs/QeRL",
    equations:
      "generate_gaussian_noise and get_sigma_by_step in noise_scheduler.py, its call in grpo_trainer.py, settings of dapo_qwen2.5-7b_nvfp4_single_gpu.sh",
  },
  about:
    "Samples come from a copy of the policy whose linear layers are quantised to four bits. The error raises the entropy of sampling, which explores, and Gaussian noise on the scales of the norms, drawn anew for each batch and decaying over training, makes the exploration adaptive. Claimed: faster growth of rewards and higher final accuracy than with 16 bits, besides the speed.",
  system: arm("QeRL", qerl, {}, quantised(true)),
  ablation: arm("QeRL without noise", qerl, {}, quantised(false)),
  presupposes: {
    hard: { least: 0.3, because: "exploration is for problems that are not solved yet" },
  },
  claims: [{ metric: "area", paper: "faster growth of rewards than 16-bit LoRA" }, { metric: "accuracy" }],
  deviations: [
    "All weights are trained at full precision and quantised for sampling; the paper trains low-rank adapters on a quantised model. The speed of four bits is not measured.",
    "Scales of blocks are not rounded to eight bits. Noise has the authors' deviations, 0.01 to 0.0001.",
  ],
  finding: (f) =>
    `Against the best baseline QeRL changes accuracy over training by ${f.effect(0)} and final accuracy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("QeRL", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without noise ${f.mean("QeRL without noise", "accuracy")}), at the hardest level ${f.mean("QeRL", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}). The mean reward of samples is ${f.mean("QeRL", "reward/mean")} (GRPO ${f.mean("GRPO", "reward/mean")}).`,
});
