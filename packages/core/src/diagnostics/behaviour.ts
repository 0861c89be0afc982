import { real } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import type { History } from "./history.ts";
import { roleMeasures } from "./roles.ts";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

/**
 * Whether a deterministic policy is acceptable: it has gained this share of the way to solved or, if no return counts as solved, has
 * not fallen below its first return by more than a share of it.
 */
function isGood(history: History, { solvedAt }: EnvSpec, gained: number, fallen: number): boolean {
  const [first] = history.of("return/mean");
  const enough =
    solvedAt === undefined ? first - fallen * Math.abs(first) : first + gained * (solvedAt - first);
  return history.late("return/mean") > enough;
}

/** Faults in the behaviour of the agent. */
export const behaviourRules: readonly Diagnostic[] = [
  diagnostic({
    name: "entropy collapse",
    confidence: 0.82,
    limits: { rounds: 4, share: 0.05, gained: 0.5, fallen: 0.1 },
    find({ history, spec }, { rounds, share, gained, fallen }) {
      if (history.of("policy/entropy").length < rounds || spec.action.kind !== "discrete") return;
      const largest = real.log(spec.action.n);
      const late = history.late("policy/entropy");
      if (!(late < share * largest) || isGood(history, spec, gained, fallen)) return;
      return {
        saw: `the policy has become deterministic (entropy ${show(late)} of at most ${show(largest)}) before it was good.`,
        fix: [
          { raise: "entropyWeight" },
          { lower: "learningRate" },
          "check that the entropy enters the loss with a minus sign",
        ],
      };
    },
  }),
  diagnostic({
    name: "collapsed role",
    confidence: 0.78,
    limits: { steps: 64, entropy: 0.02, gained: 0.5 },
    find(evidence, limits) {
      const { history, spec } = evidence;
      const roles = roleMeasures(evidence).filter(({ steps }) => steps >= limits.steps);
      // The entropy of a single policy over discrete actions has its own rule.
      if (spec.action.kind === "discrete" && roles.length < 2) return;
      const collapsed = roles.find(({ entropy }) => entropy < limits.entropy);
      if (!collapsed || isGood(history, spec, limits.gained, 0)) return;
      return {
        saw: `${collapsed.name} has collapsed: its entropy is ${show(collapsed.entropy)} nats per step, and its reward ${show(collapsed.reward)} on average.`,
        fix: [
          { raise: "entropyWeight" },
          { lower: "learningRate" },
          { raise: "klWeight" },
          "extend the supervised phase before reinforcement learning (supervisedTokens)",
        ],
      };
    },
  }),
  diagnostic({
    name: "policy collapse",
    confidence: 0.7,
    limits: { rounds: 12, share: 0.7, deviations: 1.5, still: 0.01 },
    find({ history }, { rounds, share, deviations, still }) {
      const returns = history.of("return/mean");
      if (returns.length < rounds) return;
      const [best, worst] = [Math.max(...returns), Math.min(...returns)];
      const spread = history.of("return/std", true)[history.of("return/mean", true).indexOf(best)];
      const now = history.late("return/mean");
      if (!(best - now > share * (best - worst))) return;
      // An initial policy that is better at random than greedily has lost nothing; one whose rewards are all equal does not recover.
      if (!(best - now > deviations * spread || history.late("return/std") < still * spread)) return;
      return {
        saw: `its return was ${show(best)} and is ${show(now)} now: the policy has collapsed.`,
        fix: [
          { lower: "learningRate" },
          { lower: "epochs", least: 1 },
          { raise: "groupSize" },
          { raise: "klWeight" },
          "keep the best agent with --eval-every",
        ],
      };
    },
  }),
  diagnostic({
    name: "always exploring",
    confidence: 0.8,
    limits: { rounds: 11, epsilon: 0.5 },
    find({ history, settings: { epsilon } }, limits) {
      if (epsilon === undefined || !(epsilon > limits.epsilon)) return;
      if (history.of("return/mean").length < limits.rounds) return;
      return {
        saw: `epsilon is still ${show(epsilon)}: most actions are random.`,
        fix: ["decrease epsilon earlier, for example linear(1, 0.05, 0.2)"],
      };
    },
  }),
  diagnostic({
    name: "excessive entropy bonus",
    confidence: 0.8,
    limits: { rounds: 20, share: 0.98, entropyWeight: 0.1 },
    find({ history, settings: { entropyWeight = 0 }, spec }, limits) {
      if (spec.action.kind !== "discrete" || history.of("policy/entropy").length < limits.rounds) return;
      const share = history.late("policy/entropy") / real.log(spec.action.n);
      if (share < limits.share || !(entropyWeight > limits.entropyWeight)) return;
      return {
        saw: `the policy is still uniform (${show(100 * share)}% of the largest entropy) with entropyWeight ${entropyWeight}.`,
        fix: [{ lower: "entropyWeight" }],
      };
    },
  }),
  diagnostic({
    name: "no update yet",
    confidence: 0.97,
    limits: {},
    find({ history, settings: { learningStarts: starts }, steps }) {
      const updates = history.of("updates");
      if (updates.length === 0 || updates.some((u) => u > 0)) return;
      return {
        saw: `not one update in ${steps} steps${starts ? `: learning starts after ${starts}` : ""}.`,
        fix: [{ lower: "learningStarts" }, "run longer"],
      };
    },
  }),
  diagnostic({
    name: "short-sighted",
    confidence: 0.6,
    limits: { gamma: 0.9, horizons: 5 },
    find({ history, settings: { gamma } }, limits) {
      const length = history.late("length/mean");
      if (gamma === undefined || !(gamma < limits.gamma) || !(length * (1 - gamma) > limits.horizons)) return;
      return {
        saw: `the discount factor gamma ${gamma} looks ${show(1 / (1 - gamma))} steps ahead, while episodes last ${show(length)}.`,
        fix: [{ raise: "gamma" }],
      };
    },
  }),
  diagnostic({
    name: "few effective samples",
    confidence: 0.55,
    limits: { share: 0.1 },
    find({ history }, limits) {
      const late = history.late("replay/effective");
      if (!(late < limits.share)) return;
      return {
        saw: `importance weights leave ${show(100 * late)}% of each batch effective.`,
        fix: ["lower the priority exponent", "correct less with beta"],
      };
    },
  }),
];
