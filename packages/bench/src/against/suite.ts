import { resolve } from "node:path";
import { chosen, readArguments } from "../arguments.ts";
import { machine } from "../machine.ts";
import { medianInterval } from "../stats.ts";
import { pairRatio } from "./pair.ts";
import { againstRows } from "./rows.ts";

const names = againstRows.map(({ name }) => name);

/** Rows below are slower by more than this share. */
const tolerance = 0.02;

/** Pairs of processes for a row. More follow until the interval excludes the tolerance, up to three times as many. */
const fewest = 7;

export const againstHelp = `npm run bench -- against <checkout> [options]

Compares this checkout with another one, for example an earlier commit in a git worktree, which must be built. Each ratio is
from a new pair of processes, which alternate and measure their CPU time on one thread. A ratio above 1 means that this checkout
is faster. The interval is that of the median, without assumptions, with at least 95% coverage. A row with an interval
below ${1 - tolerance} is slower.

  --only a,b        of ${names.join(", ")}
  --backend a,b     native, wasm (default: both)
  --pairs n         the fewest pairs of processes (default: ${fewest}); up to three times as many while a row is undecided
  --rounds n        alternating rounds of a pair (default: 3)
  --seconds n       CPU seconds of a round (default: 0.5)
  --json            print one JSON object as the last line`;

/** A measured row: `slower` is undefined while the interval contains the tolerance. */
interface Measured {
  readonly name: string;
  readonly backend: string;
  readonly ratios: readonly number[];
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly slower?: boolean;
}

/** Prints a line for each row; exits with 1 if one is slower. */
export async function againstSuite([other, ...rest]: readonly string[]): Promise<void> {
  if (other === undefined || other.startsWith("--"))
    throw new Error("against needs the path of another checkout. See --help.");
  const given = readArguments(rest, ["--only", "--backend", "--pairs", "--rounds", "--seconds"], ["--json"]);
  const only = chosen(given, "--only", names);
  const backends = chosen(given, "--backend", ["native", "wasm"] as const);
  const [pairs, rounds, seconds] = [
    positive("--pairs", fewest),
    positive("--rounds", 3),
    positive("--seconds", 0.5),
  ];
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const results: Measured[] = [];
  say("row                  backend  ratio  interval        pairs");
  for (const row of againstRows.filter(({ name }) => only.includes(name)))
    for (const backend of row.backends.filter((b) => backends.includes(b))) {
      const ratios: number[] = [];
      let result: Measured;
      do {
        const otherFirst = ratios.length % 2 === 0;
        ratios.push(await pairRatio(resolve(other), { row, backend, rounds, seconds }, otherFirst));
        result = judged(row.name, backend, ratios);
      } while (ratios.length < pairs || (result.slower === undefined && ratios.length < 3 * pairs));
      results.push(result);
      say(lineOf(result));
    }
  if (results.some(({ slower }) => slower)) process.exitCode = 1;
  if (given.flags.has("--json")) say(JSON.stringify({ suite: "against", machine: machine(), results }));

  function positive(flag: string, otherwise: number): number {
    const value = Number(given.values.get(flag) ?? otherwise);
    if (!(value > 0)) throw new Error(`${flag} must be a number above 0.`);
    return value;
  }
}

function judged(name: string, backend: string, ratios: readonly number[]): Measured {
  const interval = medianInterval(ratios);
  const bound = 1 - tolerance;
  const slower = interval.high < bound ? true : interval.low >= bound ? false : undefined;
  return { name, backend, ratios: [...ratios], ...interval, slower };
}

function lineOf({ name, backend, median, low, high, ratios, slower }: Measured): string {
  const verdict = slower === undefined ? "undecided" : slower ? "SLOWER" : "";
  return `${name.padEnd(20)} ${backend.padEnd(7)} ${median.toFixed(3).padStart(6)}  [${low.toFixed(3)}, ${high.toFixed(3)}]  ${String(ratios.length).padStart(4)}  ${verdict}`.trimEnd();
}
