import { type AlgorithmMaker, fail, type LearnsFrom, type OptionTable } from "@reins/core";
import { a2c } from "./a2c.ts";
import { adaptiveDqn, adaptivePpo, penaltyPpo } from "./adaptive.ts";
import { ars } from "./ars.ts";
import { c51 } from "./c51.ts";
import { cem } from "./cem.ts";
import { cispo } from "./cispo.ts";
import { cmaEs } from "./cma-es.ts";
import { crossq } from "./crossq.ts";
import { dapo } from "./dapo.ts";
import { ddpg } from "./ddpg.ts";
import { distill } from "./distill.ts";
import { dqn } from "./dqn.ts";
import { drGrpo } from "./dr-grpo.ts";
import { droq } from "./droq.ts";
import { epsilonGreedy } from "./epsilon-greedy.ts";
import { es } from "./es.ts";
import { gradientBandit } from "./gradient-bandit.ts";
import { grpo } from "./grpo.ts";
import { gspo } from "./gspo.ts";
import { impala } from "./impala.ts";
import { iqn } from "./iqn.ts";
import { linucb } from "./linucb.ts";
import { mrQ } from "./mr-q.ts";
import { munchausenDqn } from "./munchausen-dqn.ts";
import { ppg } from "./ppg.ts";
import { ppo } from "./ppo.ts";
import { pqn } from "./pqn.ts";
import { type OnlinePreferenceName, onlinePreferenceMethods } from "./preference/online/table.ts";
import { type PreferenceName, preferenceMethods } from "./preference/table.ts";
import { qrDqn } from "./qr-dqn.ts";
import { r2d2 } from "./r2d2.ts";
import { rainbow } from "./rainbow.ts";
import { redq } from "./redq.ts";
import { reinforce } from "./reinforce.ts";
import { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
import { rejection } from "./rejection.ts";
import { remax } from "./remax.ts";
import { processReward } from "./reward-model/process-reward.ts";
import { reward } from "./reward-model/reward.ts";
import { rloo } from "./rloo.ts";
import { sac } from "./sac.ts";
import { sft } from "./sft.ts";
import { simbaSac } from "./simba-sac.ts";
import { tabularQ } from "./tabular-q.ts";
import { td3 } from "./td3.ts";
import { thompson } from "./thompson.ts";
import { tqc } from "./tqc.ts";
import { trpo } from "./trpo.ts";
import { ucb } from "./ucb.ts";
import { planner } from "./value-iteration.ts";

/**
 * The names of the built-in algorithms. They are written out, so that editors complete a name without reading
 * every algorithm.
 */
export type AlgorithmName =
  | "ppo"
  | "ppo-adaptive"
  | "ppo-penalty"
  | "a2c"
  | "ppg"
  | "impala"
  | "trpo"
  | "grpo"
  | "dr-grpo"
  | "dapo"
  | "gspo"
  | "cispo"
  | "rloo"
  | "reinforce++"
  | "remax"
  | "reinforce"
  | "sft"
  | "rejection"
  | "distill"
  | PreferenceName
  | OnlinePreferenceName
  | "reward"
  | "process-reward"
  | "dqn"
  | "dqn-adaptive"
  | "c51"
  | "qr-dqn"
  | "iqn"
  | "munchausen-dqn"
  | "rainbow"
  | "r2d2"
  | "pqn"
  | "sac"
  | "redq"
  | "droq"
  | "tqc"
  | "crossq"
  | "simba-sac"
  | "td3"
  | "ddpg"
  | "mr-q"
  | "cem"
  | "cma-es"
  | "es"
  | "ars"
  | "q"
  | "value-iteration"
  | "ucb"
  | "thompson"
  | "epsilon-greedy"
  | "gradient-bandit"
  | "linucb";

const builtin = {
  ppo,
  "ppo-adaptive": adaptivePpo,
  "ppo-penalty": penaltyPpo,
  a2c,
  ppg,
  impala,
  trpo,
  grpo,
  "dr-grpo": drGrpo,
  dapo,
  gspo,
  cispo,
  rloo,
  "reinforce++": reinforcePlusPlus,
  remax,
  reinforce,
  sft,
  rejection,
  distill,
  ...preferenceMethods,
  ...onlinePreferenceMethods,
  reward,
  "process-reward": processReward,
  dqn,
  "dqn-adaptive": adaptiveDqn,
  c51,
  "qr-dqn": qrDqn,
  iqn,
  "munchausen-dqn": munchausenDqn,
  rainbow,
  r2d2,
  pqn,
  sac,
  redq,
  droq,
  tqc,
  crossq,
  "simba-sac": simbaSac,
  td3,
  ddpg,
  "mr-q": mrQ,
  cem,
  "cma-es": cmaEs,
  es,
  ars,
  q: tabularQ,
  "value-iteration": planner,
  ucb,
  thompson,
  "epsilon-greedy": epsilonGreedy,
  "gradient-bandit": gradientBandit,
  linucb,
} satisfies { readonly [name in AlgorithmName]: unknown };

// The table loses the types of the individual options.
const table = { ...builtin } as unknown as Record<string, AlgorithmMaker<OptionTable>>;

/** Names of the built-in algorithms. */
const builtIn = new Set(Object.keys(builtin));

/** Every algorithm by name: built-in and registered. */
export const algorithms: { readonly [name: string]: AlgorithmMaker<OptionTable> } = table;

/**
 * Registers a custom algorithm by its name: `train` and the command line accept it, and its runs can be resumed.
 * Registering a name again replaces the algorithm.
 *
 * registerAlgorithm(define({ name: "mine", … }));
 * await train({ algorithm: "mine", env: "CartPole-v1" });
 */
export function registerAlgorithm<T extends OptionTable>(maker: AlgorithmMaker<T>): void {
  const name = typeof maker === "function" ? maker.definition?.name : undefined;
  if (typeof name !== "string" || !name)
    fail(
      "registerAlgorithm",
      "expected an algorithm: pass the result of define({ name, … }) or ppo.with(name, …).",
    );
  if (builtIn.has(name))
    fail(
      "registerAlgorithm",
      `${name} is a built-in algorithm. Choose another name: define({ name: "my-${name}", … }).`,
    );
  table[name] = maker as unknown as AlgorithmMaker<OptionTable>;
}

/** What counts as learning from steps, from episodes of a stage, which also gives demonstrations, or from comparisons. */
const learnersOf: Readonly<Record<"steps" | "episodes" | "comparisons", readonly LearnsFrom[]>> = {
  steps: ["steps", "both"],
  episodes: ["episodes", "both", "demonstrations"],
  comparisons: ["comparisons"],
};

/** Names of the algorithms that learn from steps, from whole episodes of a stage such as completions, or from comparisons of recorded ones. */
export const learnerNames = (from: "steps" | "episodes" | "comparisons"): string[] =>
  Object.values(algorithms)
    .map(({ definition }) => definition)
    .filter(({ learnsFrom = "steps" }) => learnersOf[from].includes(learnsFrom))
    .map(({ name }) => name);
