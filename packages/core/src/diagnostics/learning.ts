import { Tensor, type Tree } from "@reins/tensor";
import { nn } from "../nn.ts";
import { correlation, numbers } from "./columns.ts";
import type { Diagnostic } from "./rule.ts";

const show = (x: number) => Number(x.toPrecision(3));

/** Faults of the update: signs, sizes, things that stand still. */
export const learningRules: readonly Diagnostic[] = [
  function nan({ history }) {
    const name = history
      .names()
      .find((n) => /^(loss|gradient)/.test(n) && history.of(n, true).some(Number.isNaN));
    if (!name) return;
    return {
      name: "NaN",
      confidence: 0.86,
      saw: `${name} became NaN: weights have been destroyed.`,
      fix: "lower learningRate, set clipNorm, and look for logarithms and divisions in a loss of your own; compile with check: true names the operation.",
    };
  },
  function wrongSign({ history }) {
    const alignment = history.of("policy/alignment");
    const late = alignment.slice(Math.floor(alignment.length / 4));
    if (late.length < 4 || late.filter((a) => a < -1e-6).length < 0.9 * late.length) return;
    return {
      name: "wrong sign of the loss",
      confidence: 0.95,
      saw: `updates make actions with a positive advantage less likely (alignment ${show(history.late("policy/alignment"))}, should be above 0).`,
      fix: "the sign of the policy's loss is flipped: losses are minimised, so the advantage must enter negatively.",
    };
  },
  function wrongTarget({ columns }) {
    const [advantage, reward, value, done] = ["advantage", "reward", "value", "done"].map(
      (n) => columns?.[n],
    );
    if (
      !(
        advantage instanceof Tensor &&
        reward instanceof Tensor &&
        value instanceof Tensor &&
        done instanceof Tensor
      )
    )
      return;
    if (advantage.rank !== 2 || reward.rank !== 2 || advantage.size < 64) return;
    const r = correlation(advantage.data, surprise(reward, value, done));
    if (r > -0.3) return;
    return {
      name: "wrong sign of the advantage",
      confidence: 0.94,
      saw: `advantages are high where rewards turned out lower than the critic expected (correlation ${show(r)}).`,
      fix: "the advantage is return minus value, not value minus return.",
    };
  },
  function tooLarge({ history, settings }) {
    const kl = Math.max(...history.of("policy/kl"), Number.NEGATIVE_INFINITY);
    const clipped = history.late("policy/clipped");
    if (!(kl > 0.5) && !(clipped > 0.6)) return;
    return {
      name: "steps too large",
      confidence: 0.84,
      saw: `one update changed the policy by a divergence of up to ${show(kl)} nats${clipped > 0 ? ` and ${show(100 * clipped)}% of ratios were clipped` : ""}; about 0.01 to 0.05 is healthy.`,
      fix: `lower learningRate${settings.learningRate ? ` (now ${settings.learningRate})` : ""}, or make fewer epochs.`,
    };
  },
  function exploding({ history, settings }) {
    const losses = history.of("loss/value");
    if (losses.length < 4) return;
    const [first, last] = [history.early("loss/value"), history.late("loss/value")];
    if (!(last > 1e4 && last > 100 * Math.abs(first))) return;
    return {
      name: "exploding value loss",
      confidence: 0.8,
      saw: `the critic's loss grew from ${show(first)} to ${show(last)}.`,
      fix: `lower learningRate${settings.learningRate ? ` (now ${settings.learningRate})` : ""}; with replay, use a slower target network (lower tau) and check that discounts are below 1.`,
    };
  },
  function standingStill({ history, constants, passes }) {
    const kl = history.of("policy/kl");
    const still = passes !== 1 && kl.length > 3 && kl.every((x) => Math.abs(x) < 1e-9);
    const gradient = history.of("gradient/norm");
    const none = gradient.length > 3 && gradient.every((x) => x < 1e-10);
    const off = constants.learningRate === 0;
    if (!still && !none && !off) return;
    return {
      name: "nothing changes",
      confidence: 0.88,
      saw: none
        ? "the gradient is zero in every update."
        : `the policy has not changed at all${off ? " (learningRate is 0)" : ""}.`,
      fix: none
        ? "the loss does not depend on the weights: look for a stopGradient, or for advantages that are all 0."
        : "raise learningRate, or let its schedule begin above 0.",
    };
  },
  function dead({ optimiser }) {
    const { units, idle } = idleUnits(optimiser);
    if (units < 16 || idle / units < 0.5) return;
    return {
      name: "dead units",
      confidence: 0.83,
      saw: `${idle} of ${units} hidden units have received no gradient: their activation is off for every input.`,
      fix: "lower learningRate, normalise observations, or use tanh, elu or a layer norm instead of relu.",
    };
  },
  function uselessCritic({ history, columns }) {
    const late = history.late("value/explained");
    if (!(late < -0.5) || history.of("value/explained").length < 20 || !numbers(columns?.value)) return;
    return {
      name: "a critic that explains nothing",
      confidence: 0.4,
      saw: `the critic explains ${show(late)} of the returns' variance, worse than a constant would.`,
      fix: "raise valueWeight or the critic's learning rate, scale rewards, and check that observations contain what the return depends on.",
    };
  },
];

/** Discounted rewards to come minus what the critic said, roughly: enough for a sign. */
function surprise(reward: Tensor, value: Tensor, done: Tensor): Float64Array {
  const [time, rows] = reward.shape;
  const out = new Float64Array(reward.size);
  for (let i = 0; i < rows; i++) {
    let later = 0;
    for (let t = time - 1; t >= 0; t--) {
      const at = t * rows + i;
      const expected =
        t + 1 < time && !done.data[at] ? value.data[at + rows] : done.data[at] ? 0 : value.data[at];
      if (done.data[at] || t === time - 1) later = 0;
      const delta = reward.data[at] + 0.97 * expected - value.data[at];
      later = delta + 0.9 * later;
      out[at] = later;
    }
  }
  return out;
}

/** Units (columns of weight matrices but the last ones) whose weights' running squared gradients are all but zero. */
function idleUnits(optimiser: Tree | undefined): { units: number; idle: number } {
  const squares = (optimiser as { slots?: { square?: Tree } } | undefined)?.slots?.square;
  let [units, idle] = [0, 0];
  if (squares === undefined) return { units, idle };
  for (const [name, t] of nn.flattenNames(squares)) {
    if (!(t instanceof Tensor) || t.rank !== 2 || t.shape[1] < 8 || /head/.test(name)) continue;
    const [rows, columns] = t.shape;
    for (let c = 0; c < columns; c++) {
      let largest = 0;
      for (let r = 0; r < rows; r++) largest = Math.max(largest, t.data[r * columns + c]);
      units++;
      if (largest < 1e-14) idle++;
    }
  }
  return { units, idle };
}
