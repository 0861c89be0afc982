import { codeReward } from "../shared/code-rewards.ts";
import { arm, code } from "../testbeds/code.ts";
import { coarse, rltf, withGreedy } from "./rltf.parts.ts";

const feedback = { ...codeReward(coarse), parts: withGreedy(2) };

export default code.recipe({
  id: "rltf",
  paper: "RLTF: Reinforcement Learning from Unit Test Feedback",
  source: {
    paper: "arXiv:2307.04349",
    code: "Zyq-scut/RLTF",
    equations:
      "get_reward_from_error_type in datasets/utils.py, sample_rl_task in datasets/apps_dataset_online_v1.py, program_feedback.py, with the settings of train_actor_rl_online_v1_deepspeed.sh",
  },
  about:
    "Feedback of several granularities: a reward by error class (compile error, run-time error, failed tests, success), the share of tests for programs that run, and a penalty on the tokens of the line at which a program stops. Rewards are relative to the greedy program. Samples enter a buffer of the latest batches, from which the policy gradient draws, without importance ratios. Claimed: higher accuracy than with offline data and rewards by error class alone.",
  system: arm("RLTF", rltf(true), {}, feedback),
  ablation: arm("RLTF without fine-grained feedback", rltf(false), {}, feedback),
  presupposes: {
    compile: { least: 0.02, because: "fine-grained feedback is for programs that stop at a statement" },
    partly: { least: 0.05, because: "adaptive feedback is for programs that pass some of the tests" },
  },
  claims: [{ metric: "area", paper: "state of the art on APPS and MBPP" }],
  grid: { learningRate: [1.25e-4, 2.5e-4, 5e-4, 1e-3], epochs: [1, 2, 4] },
  deviations: [
    "Rewards are not weighted by a critic's probability of the error class, and no supervised loss on reference programs is added.",
    "The buffer has the latest two batches, of which each update draws as many samples as one has; the authors' has 6400 programs, and the model that samples is replaced after every 50 updates.",
  ],
  tried: [
    "The learning rates of the other rows: without importance ratios and a clip range, 1e-3 with two epochs loses all accuracy on a development seed.",
  ],
  finding: (f) =>
    `Against the best baseline RLTF changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("RLTF", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with the share of tests ${f.mean("GRPO, share of tests", "accuracy")}, without fine-grained feedback ${f.mean("RLTF without fine-grained feedback", "accuracy")}); ${f.mean("RLTF", "term/compile")} of the programs do not compile (GRPO ${f.mean("GRPO", "term/compile")}, without fine-grained feedback ${f.mean("RLTF without fine-grained feedback", "term/compile")}).`,
});
