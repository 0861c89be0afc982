import type { Diagnostic } from "./rule.ts";

const show = (x: number) => Number(x.toPrecision(3));

/** What the agent does that keeps it from learning. */
export const behaviourRules: readonly Diagnostic[] = [
  function collapse({ history, spec }) {
    const entropy = history.of("policy/entropy");
    if (entropy.length < 4 || spec.action.kind !== "discrete") return;
    const largest = Math.log(spec.action.n);
    const late = history.late("policy/entropy");
    const returns = history.of("return/mean");
    const now = history.late("return/mean");
    // A deterministic policy is no fault if it is good, or still getting better.
    const good =
      spec.solvedAt === undefined
        ? now > returns[0] * 1.5
        : now > returns[0] + 0.5 * (spec.solvedAt - returns[0]);
    if (!(late < 0.05 * largest) || good) return;
    return {
      name: "entropy collapse",
      confidence: 0.82,
      saw: `the policy has become deterministic (entropy ${show(late)} of at most ${show(largest)}) before it was good.`,
      fix: "raise entropyWeight, lower learningRate, or check that the entropy enters the loss with a minus sign.",
    };
  },
  function tooRandom({ history, settings, spec }) {
    if (settings.epsilon !== undefined && settings.epsilon > 0.5 && history.of("return/mean").length > 10)
      return {
        name: "always exploring",
        confidence: 0.8,
        saw: `epsilon is still ${show(settings.epsilon)}: most actions are random.`,
        fix: "let epsilon fall earlier, for instance linear(1, 0.05, 0.2).",
      };
    const entropy = history.of("policy/entropy");
    if (spec.action.kind !== "discrete" || entropy.length < 20) return;
    const share = history.late("policy/entropy") / Math.log(spec.action.n);
    if (share < 0.98 || !((settings.entropyWeight ?? 0) > 0.1)) return;
    return {
      name: "held at random",
      confidence: 0.8,
      saw: `the policy is still uniform (${show(100 * share)}% of the largest entropy) with entropyWeight ${settings.entropyWeight}.`,
      fix: "lower entropyWeight to 0.01 or less.",
    };
  },
  function notYet({ history, settings, steps }) {
    const starts = settings.learningStarts;
    if (history.names().includes("updates") && history.of("updates").every((u) => u === 0))
      return {
        name: "no update yet",
        confidence: 0.97,
        saw: `not one update in ${steps} steps${starts ? `: learning starts after ${starts}` : ""}.`,
        fix: "lower learningStarts, or run longer.",
      };
    return undefined;
  },
  function shortSighted({ history, settings }) {
    const { gamma } = settings;
    const length = history.late("length/mean");
    if (gamma === undefined || !(gamma < 0.9) || !(length * (1 - gamma) > 5)) return;
    return {
      name: "short-sighted",
      confidence: 0.6,
      saw: `gamma ${gamma} looks ${show(1 / (1 - gamma))} steps ahead, while episodes last ${show(length)}.`,
      fix: "raise gamma, to 0.99 for instance.",
    };
  },
  function stale({ history }) {
    const late = history.late("staleness");
    if (!(late > 8)) return;
    return {
      name: "stale experience",
      confidence: 0.6,
      saw: `batches are ${show(late)} updates old when they are learned from.`,
      fix: "lower the plan's staleness bound, or collect with more rows.",
    };
  },
  function fewEffective({ history }) {
    const late = history.late("replay/effective");
    if (!(late < 0.1)) return;
    return {
      name: "few effective samples",
      confidence: 0.55,
      saw: `importance weights leave ${show(100 * late)}% of each batch effective.`,
      fix: "lower the priority exponent, or correct less with beta.",
    };
  },
];
