import { grpo, ppo } from "@reins/algorithms";
import { testbed } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";
import { circuits } from "../shared/circuit-task.ts";

/** Descriptions of circuits, to be compiled to programs. */
export const codeTask = circuits({ slips: 0, lean: 0 });
/** Levels that are trained and evaluated: two to five steps. */
export const codeLevels = [1, 2, 3, 4];
const problems = 150;

const setting = {
  task: codeTask,
  levels: codeLevels,
  model: {
    layers: 2,
    width: 32,
    teacher: circuits({ slips: 0.45, lean: 0.3 }),
    imitation: 400_000,
    batch: 64,
  },
  prompts: 48,
  strict: true,
  also: ["reward/compile", "reward/runtime", "reward/partly"],
  score: { problems, looks: 4 },
  quick: {
    levels: [2],
    model: { imitation: 60_000, batch: 16, teacher: circuits({ slips: 0.1, lean: 0.3 }) },
  },
};

/** Arms without a critic on this testbed. Each has the same model of a seed, 192 training problems, and ends before it exceeds the budget. A part of the tests counts for that part of the reward, unless a judge says otherwise. */
export const arm = languageArms({ ...setting, options: { groups: 24, groupSize: 8, clipNorm: 1 } });
/** Arms for which only programs that pass all tests count. */
const whole = languageArms({
  ...setting,
  wholly: true,
  options: { groups: 24, groupSize: 8, clipNorm: 1 },
});
/** Arms with a critic. */
export const criticArm = languageArms({
  ...setting,
  wholly: true,
  options: { envs: 192, minibatches: 1, gamma: 1, clipNorm: 1 },
});

const learningRate = [5e-4, 1e-3, 2e-3];
const epochs = [1, 2, 4];

/** Programs that are compiled, run and tested. */
export const code = testbed({
  id: "code",
  title: "Programs with hidden tests",
  about:
    "A two-layer transformer writes programs for descriptions of logic circuits with two to five steps. A statement has an operator and two operands, and writes the next register; descriptions refer to the previous result or the one before, so that some steps are not needed. A program is compiled, run on all 16 combinations of four inputs, and passes a test if the output of its last statement is right. It can fail to compile, read a register before it is written, or be wrong in some of the tests. The model imitated a teacher that errs in almost every second statement, and leaves out steps that are not needed in three programs of ten. It stands for language models that write code and are rewarded by compilers and unit tests.",
  baselines: [
    whole("GRPO", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    arm("GRPO, share of tests", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    criticArm("PPO", ppo, {}, { identity: "ppo 1", grid: { learningRate, epochs, lambda: [0.95, 1] } }),
  ],
  grid: { learningRate, epochs, groupSize: [4, 8] },
  rowGrid: { learningRate, epochs },
  metrics: {
    area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 },
    accuracy: { about: "held-out accuracy at the end", better: "higher", worst: 0, best: 1 },
    "term/lean": {
      about: "needed statements per statement, 0 for a wrong program",
      better: "higher",
      worst: 0,
      best: "open",
    },
    "term/compile": { about: "share of compile errors", better: "lower", worst: 1, best: 0 },
  },
  answers: 4 * problems * codeLevels.length,
  smallest: {
    area: { size: 0.02, because: "two points of accuracy over training pay for another method" },
    accuracy: { size: 0.02, because: "two points of accuracy pay for another method" },
    "term/lean": { size: 0.03, because: "three hundredths of the gates pay for another method" },
    "term/compile": { size: 0.01, because: "one program in a hundred is seen in samples" },
  },
  conditions: {
    start: { about: "accuracy before reinforcement learning", of: (mean) => mean("before") },
    room: { about: "accuracy that is left to gain", of: (mean) => 1 - mean("accuracy") },
    compile: {
      about: "share of programs over training that do not compile",
      of: (mean) => mean("reward/compile"),
    },
    runtime: {
      about: "share of programs over training that fail while running",
      of: (mean) => mean("reward/runtime"),
    },
    partly: {
      about: "share of programs over training that pass some of the tests",
      of: (mean) => mean("reward/partly"),
    },
    flat: { about: "share of groups with equal rewards", of: (mean) => mean("flat") },
    mixed: {
      about: "accuracy at the easiest level minus that at the hardest",
      of: (mean) => mean("solved/1") - mean("solved/4"),
    },
    needless: {
      about: "share of the statements of a right program that are not needed",
      of: (mean) => 1 - mean("term/lean") / mean("accuracy"),
    },
    calmed: {
      about: "token entropy over training minus that at the end, nats",
      of: (mean) => mean("policy/entropy") - mean("entropy"),
    },
  },
  budget: { unit: "tokens", full: 30_000, quick: 3000 },
  deviations: [
    "A two-layer model that writes programs for logic circuits stands for models of 0.2 to 14 billion weights that write Python, Verilog or SQL for descriptions in English.",
  ],
});

export default code;
