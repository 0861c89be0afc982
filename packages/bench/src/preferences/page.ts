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
    "| method | utility | gain | win rate | malformed | against the start | setting |",
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
    `The 95% interval of the gain in utility over the SFT start is above 0 for ${above} of ${all.length} methods. Generated from results/preferences.jsonl by \`npm run bench -- preferences\`.`,
    "",
    "- **Task**: a completion is two lines of one letter. Its utility is known: some letters are worth more than others, and more if they occur in the prompt.",
    "- **Data**: annotators prefer one of two completions of random letters with the probability of a Bradley-Terry model, so labels are noisy. Offline methods use each recorded pair once; online methods sample their own completions.",
    `- **Model**: a character-level transformer with ${model.layers} layer of width ${model.width}, after SFT on ${thousands(model.imitation)} tokens of random letters. For each seed, all methods start from the same weights, whose utility is ${percent(Math.min(...starts))} to ${percent(Math.max(...starts))}.`,
    `- **Budget**: ${thousands(tokens)} completion tokens for each method, in batches of ${completions} completions.`,
    `- **Tuning**: the best of ${2 * learningRates.length} settings for each method, on ${tuning.length} other seeds: learning rates ${learningRates.join(" and ")}, and two values of one option.`,
    `- **Numbers**: means over ${evaluation.length} seeds in percent with 95% intervals, on ${problems} held-out prompts with sampled completions. The win rate compares the utility of a completion after training with that of one at the start. A malformed completion lacks the form of the demonstrations; its letters still count.`,
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
