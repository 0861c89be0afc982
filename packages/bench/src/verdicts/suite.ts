import { readArguments } from "../arguments.ts";
import { mostByChance, type Rates, type Simulated, simulate, verdicts } from "./simulate.ts";
import type { Optima } from "./surface.ts";

export const verdictsHelp = `npm run bench -- verdicts [--recipes 1000] [--from 0] [--json]

Error rates of the recipe protocol: verdicts on simulated arms whose true effect, each at its best learning rate, is zero or exactly the smallest
relevant effect, through tuning, planning, two blocks of seeds and the verdict. In both cases at most one in forty may be shown. The best
learning rates lie on grid points, or between them, where the grid is too coarse to find them. --from starts at another recipe.`;

const optima: readonly Optima[] = ["on", "between"];
const effects = [0, 1];

/** Simulates, and prints a Markdown table: percentages over both blocks and for each block. */
export async function verdictsSuite(args: readonly string[]): Promise<void> {
  const { values, flags } = readArguments(args, ["--recipes", "--from"], ["--json"]);
  const whole = (flag: string, otherwise: number, least: number) => {
    const number = Number(values.get(flag) ?? otherwise);
    if (Number.isInteger(number) && number >= least) return number;
    throw new Error(`${flag} ${values.get(flag)} must be a whole number of at least ${least}.`);
  };
  const [recipes, first] = [whole("--recipes", 1000, 1), whole("--from", 0, 0)];
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`| best rates | true effect | blocks | ${verdicts.join(" | ")} |`);
  say(`| --- | --- | --- |${" --- |".repeat(verdicts.length)}`);
  const all: Simulated[] = [];
  for (const where of optima)
    for (const effect of effects) {
      const found = await simulate(recipes, effect, where, first);
      all.push(found);
      const row = (blocks: string, rates: Rates) =>
        say(
          `| ${where} points | ${effect} | ${blocks} | ${verdicts.map((v) => (100 * rates[v]).toFixed(1)).join(" | ")} |`,
        );
      row("both", found.pooled);
      for (const [i, rates] of found.blocks.entries()) row(`${i + 1}`, rates);
    }
  say(`\nWith ${recipes} recipes, chance explains up to ${(100 * mostByChance(recipes)).toFixed(1)}% shown.`);
  if (flags.has("--json")) say(JSON.stringify({ suite: "verdicts", first, all }));
}
