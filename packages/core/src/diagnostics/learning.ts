import { Tensor } from "@reins/tensor";
import { correlation, numbers, surprises } from "./columns.ts";
import { idleUnits } from "./idle-units.ts";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

const clippedBy = (ratio: number) => `the gradient norm is ${show(ratio)} times clipNorm`;

/** Faults of the update: wrong signs, wrong sizes, no change. */
export const learningRules: readonly Diagnostic[] = [
  diagnostic({
    name: "NaN",
    confidence: 0.86,
    limits: {},
    find({ history }) {
      const name = history
        .names()
        .find((n) => /^(loss|gradient)/.test(n) && history.of(n, true).some(Number.isNaN));
      if (!name) return;
      return {
        saw: `${name} became NaN: weights have been destroyed.`,
        fix: [
          { lower: "learningRate" },
          { lower: "clipNorm" },
          "look for logarithms and divisions in custom losses; compile with check: true names the operation",
        ],
      };
    },
  }),
  diagnostic({
    name: "wrong sign of the loss",
    confidence: 0.95,
    limits: { rounds: 4, alignment: -1e-6, share: 0.9 },
    find({ history }, limits) {
      const alignment = history.of("policy/alignment");
      const late = alignment.slice(Math.floor(alignment.length / 4));
      const against = late.filter((a) => a < limits.alignment);
      if (late.length < limits.rounds || against.length < limits.share * late.length) return;
      return {
        saw: `updates make actions with a positive advantage less likely (alignment ${show(history.late("policy/alignment"))}, should be above 0).`,
        fix: [
          "flip the sign of the policy's loss: losses are minimised, so the advantage must enter negatively",
        ],
      };
    },
  }),
  diagnostic({
    name: "wrong sign of the advantage",
    confidence: 0.94,
    limits: { steps: 64, correlation: -0.3, gamma: 0.99, lambda: 0.95 },
    find({ columns, settings }, limits) {
      const { advantage, reward, value, terminated, truncated } = columns ?? {};
      if (!(advantage instanceof Tensor && reward instanceof Tensor && value instanceof Tensor)) return;
      if (!(terminated instanceof Tensor && truncated instanceof Tensor)) return;
      if (advantage.rank !== 2 || reward.rank !== 2 || value.rank !== 2) return;
      const { gamma = limits.gamma, lambda = limits.lambda } = settings;
      const { at, values } = surprises({ reward, value, terminated, truncated }, gamma, lambda);
      const r = correlation(
        at.map((i) => advantage.data[i]),
        values,
      );
      if (at.length < limits.steps || r > limits.correlation) return;
      return {
        saw: `advantages are high where rewards turned out lower than the critic expected (correlation ${show(r)}).`,
        fix: ["compute the advantage as return minus value, not value minus return"],
      };
    },
  }),
  diagnostic({
    name: "steps too large",
    confidence: 0.84,
    limits: { divergence: 0.5, clipped: 0.6 },
    find({ history }, limits) {
      const kl = Math.max(...history.of("policy/kl"), Number.NEGATIVE_INFINITY);
      const clipped = history.late("policy/clipped");
      if (!(kl > limits.divergence) && !(clipped > limits.clipped)) return;
      return {
        saw: `one update changed the policy by a divergence of up to ${show(kl)} nats${clipped > 0 ? ` and ${show(100 * clipped)}% of ratios were clipped` : ""}; about 0.01 to 0.05 is healthy.`,
        fix: [{ lower: "learningRate" }, { lower: "epochs", least: 1 }],
      };
    },
  }),
  diagnostic({
    name: "exploding value loss",
    confidence: 0.8,
    limits: { rounds: 4, loss: 1e4, growth: 100 },
    find({ history }, limits) {
      if (history.of("loss/value").length < limits.rounds) return;
      const [first, last] = [history.early("loss/value"), history.late("loss/value")];
      if (!(last > limits.loss && last > limits.growth * Math.abs(first))) return;
      return {
        saw: `the critic's loss grew from ${show(first)} to ${show(last)}.`,
        fix: [{ lower: "learningRate" }, { lower: "tau" }, "check that discounts are below 1"],
      };
    },
  }),
  diagnostic({
    name: "policy never changes",
    confidence: 0.88,
    limits: { rounds: 4, divergence: 1e-9, gradient: 1e-10, clipped: 100 },
    find({ history, constants, options, passes }, limits) {
      const kl = history.of("policy/kl");
      const still =
        passes !== 1 && kl.length >= limits.rounds && kl.every((x) => Math.abs(x) < limits.divergence);
      const gradient = history.of("gradient/norm");
      const none = gradient.length >= limits.rounds && gradient.every((x) => x < limits.gradient);
      const off = constants.learningRate === 0;
      if (!still && !none && !off) return;
      const clipped = history.late("gradient/norm") / Number(options.clipNorm);
      return {
        saw: none
          ? "the gradient is zero in every update."
          : `the policy has not changed at all${off ? " (learningRate is 0)" : ""}.`,
        fix: none
          ? [
              "look for a stopGradient, or for advantages that are all 0: the loss does not depend on the weights",
            ]
          : clipped > limits.clipped && !off
            ? [
                `scale the loss down (${clippedBy(clipped)}): normalise rewards, or lower the weight of the critic's error`,
              ]
            : [{ raise: "learningRate" }, "start its schedule above 0"],
      };
    },
  }),
  diagnostic({
    name: "dead units",
    confidence: 0.83,
    limits: { units: 16, share: 0.5, square: 1e-14 },
    find({ optimiser, options: { activation = "relu" } }, limits) {
      const { units, idle } = idleUnits(optimiser, limits.square);
      if (units < limits.units || idle / units < limits.share) return;
      const flat = activation === "relu";
      return {
        saw: `${idle} of ${units} hidden units have received no gradient: their activation is ${flat ? "off" : "off or saturated"} for every input.`,
        fix: [
          { lower: "learningRate" },
          "normalise observations",
          ...(flat ? ["use tanh, elu or a layer norm instead of relu"] : ["add a layer norm"]),
        ],
      };
    },
  }),
  diagnostic({
    name: "uninformative critic",
    confidence: 0.4,
    limits: { rounds: 20, explained: -0.5 },
    find({ history, columns, spec: { solvedAt = Number.POSITIVE_INFINITY } }, limits) {
      // If every episode has the maximum return, no variance is left to explain.
      if (history.late("return/mean") >= solvedAt) return;
      const late = history.late("value/explained");
      if (!(late < limits.explained) || !numbers(columns?.value)) return;
      if (history.of("value/explained").length < limits.rounds) return;
      return {
        saw: `the critic's explained variance is ${show(late)}; a constant prediction has 0.`,
        fix: [
          { raise: "valueWeight" },
          "scale rewards",
          "check that observations contain what the return depends on",
        ],
      };
    },
  }),
];
