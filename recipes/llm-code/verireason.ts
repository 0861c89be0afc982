import { grpo } from "@reins/algorithms";
import { codeReward } from "../shared/code-rewards.ts";
import { arm, code } from "../testbeds/code.ts";
import { guided } from "./verireason.parts.ts";

export default code.recipe({
  id: "verireason",
  paper:
    "VeriReason: Reinforcement Learning with Testbench Feedback for Reasoning-Enhanced Verilog Generation",
  source: {
    paper: "arXiv:2505.11849",
    code: "NellyW8/VeriReason",
    equations: "verilog_reward and run_ast_comparison in GRPO/verilog_rewards_tb.py",
  },
  about:
    "GRPO with a guided reward for hardware designs: nothing for a design that does not compile, 2.1 for one that passes the test bench, and in between 0.1 plus the structural similarity of its statements to those of a reference design. Claimed: up to 2.8 times as many designs that are correct at the first attempt.",
  system: arm("VeriReason", grpo, {}, codeReward(guided(true))),
  ablation: arm("VeriReason without structure", grpo, {}, codeReward(guided(false))),
  presupposes: {
    partly: { least: 0.05, because: "structure is rewarded in programs that compile and fail tests" },
    room: { least: 0.06, because: "three times the smallest effect must be left to gain" },
  },
  claims: [{ metric: "area", paper: "83.1% functional correctness on VerilogEval-Machine" }],
  deviations: [
    "The reference has one order of statements and one choice of registers, so that most programs that pass the tests are similar to it; Verilog has more freedom.",
    "The model writes the program without reasoning first, and earns nothing for tags around it (the paper: 0.1). Supervised fine-tuning uses a teacher's programs, some of which are wrong.",
  ],
  finding: (f) =>
    `Against the best baseline VeriReason changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("VeriReason", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with the share of tests ${f.mean("GRPO, share of tests", "accuracy")}, without structure ${f.mean("VeriReason without structure", "accuracy")}), with five steps ${f.mean("VeriReason", "solved/4")} (GRPO ${f.mean("GRPO", "solved/4")}).`,
});
