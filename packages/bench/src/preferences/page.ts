import { tInterval } from "@reins/recipes";
import { type Measured, verdictOf } from "./outcome.ts";
import { completions, evaluation, learningRates, model, problems, tokens, tuning } from "./plan.ts";

const percent = (x: number): string => (100 * x).toFixed(1);
const thousands = (n: number): string => `${Math.round(n / 1000)} k`;
const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length;

const interval = (values: readonly number[]): string => {
  const { estimate, low, high } = tInterval(values);
  return `${percent(estimate)} (${percent(low)} to ${percent(high)})`;
};

const gainsOf = ({ runs }: Measured) => runs.map(({ start, end }) => end - start);

/** The table of all measured methods, those with the largest gain first. */
function table(all: readonly Measured[]): string[] {
  const sorted = [...all].sort((a, b) => mean(gainsOf(b)) - mean(gainsOf(a)));
  const rows = sorted.map((measured) => {
    const { contest, point, runs } = measured;
    const cells = [
      `[\`${contest.method}\`](${contest.method}.md)`,
      interval(runs.map(({ end }) => end)),
      interval(gainsOf(measured)),
      interval(runs.map(({ wins }) => wins)),
      percent(mean(runs.map(({ malformed }) => malformed))),
      verdictOf(measured),
      `${point.learningRate}, ${contest.strength.option} ${Number(point.strength.toPrecision(3))}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| method | utility | gain | win rate | malformed | than the start | learning rate, strength |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ];
}

/** The page of all methods that learn from comparisons. */
export function pageOf(all: readonly Measured[], gentle: readonly Measured[]): string {
  const starts = all.flatMap(({ runs }) => runs.map(({ start }) => start));
  const [offline, online] = [false, true].map((is) => all.filter(({ contest }) => contest.online === is));
  const above = all.filter((one) => verdictOf(one) === "above").length;
  return [
    "# Preference optimisation: measured utility",
    "",
    "Generated from results/preferences.jsonl by `npm run bench -- preferences`.",
    "",
    `The utility of a completion is known: two lines of one letter, of which some are worth more than others, and more if they occur in the prompt. Annotators prefer one of two completions with a probability that a Bradley-Terry model gives, so labels are noisy. A character-level transformer with ${model.layers} layer of width ${model.width} imitates completions of random letters for ${thousands(model.imitation)} tokens (SFT). Each method then continues from these weights for ${thousands(tokens)} completion tokens, in batches of ${completions} completions. Offline methods learn from recorded completions of random letters, each once; online methods sample their own.`,
    "",
    `Numbers are means over ${evaluation.length} seeds in percent with their 95% intervals, on ${problems} held-out prompts with sampled completions. All methods with one seed start from the same weights, whose utility is ${percent(Math.min(...starts))} to ${percent(Math.max(...starts))}. The win rate compares a completion after training with one of the start by their utilities. A completion without the form of the demonstrations is malformed; its letters count nevertheless. Each method has the best of ${2 * learningRates.length} settings on ${tuning.length} other seeds: the learning rates ${learningRates.join(", ")}, with two values of one option.`,
    "",
    `The gain of ${above} of ${all.length} methods is above 0 with its whole interval.`,
    "",
    "## Offline methods",
    "",
    ...table(offline),
    "",
    "## Online methods",
    "",
    ...table(online),
    "",
    ...(gentle.length
      ? [
          "## With the lower learning rate",
          "",
          `Methods that are not above their start, with the better setting at the learning rate ${learningRates[0]}:`,
          "",
          ...table(gentle),
          "",
        ]
      : []),
  ].join("\n");
}
