import { real } from "@reins/tensor";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

/** What the agent does that keeps it from learning. */
export const behaviourRules: readonly Diagnostic[] = [
  diagnostic({
    name: "entropy collapse",
    confidence: 0.82,
    limits: { rounds: 4, share: 0.05, gained: 0.5, fallen: 0.1 },
    find({ history, spec }, { rounds, share, gained, fallen }) {
      if (history.of("policy/entropy").length < rounds || spec.action.kind !== "discrete") return;
      const largest = real.log(spec.action.n);
      const late = history.late("policy/entropy");
      const [first] = history.of("return/mean");
      const now = history.late("return/mean");
      // A deterministic policy is no fault if it is good, or still getting better. Where nobody says what good is, it may have been so from the beginning.
      const enough =
        spec.solvedAt === undefined
          ? first - fallen * Math.abs(first)
          : first + gained * (spec.solvedAt - first);
      if (!(late < share * largest) || now > enough) return;
      return {
        saw: `the policy has become deterministic (entropy ${show(late)} of at most ${show(largest)}) before it was good.`,
        fix: "raise entropyWeight, lower learningRate, or check that the entropy enters the loss with a minus sign.",
      };
    },
  }),
  diagnostic({
    name: "lost what it knew",
    confidence: 0.7,
    limits: { rounds: 12, share: 0.7, deviations: 1.5, still: 0.01 },
    find({ history, settings }, { rounds, share, deviations, still }) {
      const returns = history.of("return/mean");
      if (returns.length < rounds) return;
      const [best, worst] = [Math.max(...returns), Math.min(...returns)];
      const spread = history.of("return/std", true)[history.of("return/mean", true).indexOf(best)];
      const now = history.late("return/mean");
      if (!(best - now > share * (best - worst))) return;
      // A beginner who does better at random than by its first rule has lost nothing; one to whom all is the same finds no way back.
      if (!(best - now > deviations * spread || history.late("return/std") < still * spread)) return;
      return {
        saw: `its return was ${show(best)} and is ${show(now)} now: what it had learned is gone.`,
        fix: `lower learningRate${settings.learningRate ? ` (now ${settings.learningRate})` : ""} or make fewer epochs; with words, more plays of a problem or a klWeight that holds it near where it began. The best agent is kept with --eval-every.`,
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
        fix: "let epsilon fall earlier, for instance linear(1, 0.05, 0.2).",
      };
    },
  }),
  diagnostic({
    name: "held at random",
    confidence: 0.8,
    limits: { rounds: 20, share: 0.98, entropyWeight: 0.1 },
    find({ history, settings: { entropyWeight = 0 }, spec }, limits) {
      if (spec.action.kind !== "discrete" || history.of("policy/entropy").length < limits.rounds) return;
      const share = history.late("policy/entropy") / real.log(spec.action.n);
      if (share < limits.share || !(entropyWeight > limits.entropyWeight)) return;
      return {
        saw: `the policy is still uniform (${show(100 * share)}% of the largest entropy) with entropyWeight ${entropyWeight}.`,
        fix: "lower entropyWeight to 0.01 or less.",
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
        fix: "lower learningStarts, or run longer.",
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
        saw: `gamma ${gamma} looks ${show(1 / (1 - gamma))} steps ahead, while episodes last ${show(length)}.`,
        fix: "raise gamma, to 0.99 for instance.",
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
        fix: "lower the priority exponent, or correct less with beta.",
      };
    },
  }),
];
