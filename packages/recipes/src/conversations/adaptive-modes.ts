import type { Arm } from "../recipe.ts";
import { type ModeQuestion, modeLetters, modeOf, modes } from "./modes.ts";
import { withReserve } from "./reserve.ts";
import { withRewards } from "./rewards.ts";

/** Penalises a correct free sample to 1 − p² if its mode is more expensive than the cheapest reliable one, which is correct in p ≥ 0.75 of its led samples. */
export const modePenalty = withRewards((group) => {
  const plays = group.map(({ result, verdict }) => {
    const { lead } = result.problem.data as ModeQuestion;
    const mode = modeLetters.indexOf(modeOf(lead, result.messages[result.opening]?.content));
    return { mode, led: lead !== undefined, right: Number(verdict.score) };
  });
  const sure = modeLetters.map((_, mode) => {
    const led = plays.filter((p) => p.led && p.mode === mode);
    return led.reduce((sum, p) => sum + p.right, 0) / led.length;
  });
  const cheapest = sure.findIndex((p) => p >= 0.75);
  return plays.map(({ mode, led, right }) =>
    !led && cheapest >= 0 && mode > cheapest ? right * (1 - sure[cheapest] ** 2) : right,
  );
});

/** Adds the cost of a correct answer, in tokens, and stops before a last batch could exceed the budget. */
export const withCost = (one: Arm): Arm => {
  const side = withReserve(500, one);
  return {
    ...side,
    content: side.content === undefined ? undefined : [side.content, "cost"],
    async run(trial) {
      const { values, ...rest } = await side.run(trial);
      return { ...rest, values: { ...values, cost: values.tokens / Math.max(values.accuracy, 0.01) } };
    },
  };
};

/** Questions that are best answered in different modes, and a model that has seen all three. */
export const modesTask = {
  task: modes,
  levels: [1, 2, 3],
  model: { layers: 1, width: 32, imitation: 110_000 },
  options: { groups: 6, groupSize: 12, epochs: 1, clipNorm: 1 },
  score: { problems: 80, looks: 1 },
  quick: { model: { imitation: 40_000 } },
};
