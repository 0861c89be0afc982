import { parseArgs } from "node:util";
import { chromium } from "../../../reins/dist/testing-browser.js";
import { describeMachine, machine } from "../machine.ts";
import { summary } from "../stats.ts";
import { openManyRuns, panMillionPoints } from "./page-timing.ts";
import { trainingInPage } from "./training.ts";
import { watchedTraining } from "./watch-overhead.ts";

export const studioHelp = `npm run bench -- studio [flags]    the studio: a folder of 1,000 runs, a run of a million points, the overhead of watching a run, and training in the page against Node
  --only a,b      run only these: runs, points, watched, train
  --rounds N      rounds of each side (default: 7)
  --seconds S     seconds of a round (default: 3)
  --json          print JSON as the last line`;

/** Limits: milliseconds to open, milliseconds of a frame, slowdown while watched. */
const promised = { open: 1000, frame: 16, watched: 0.02 };

/** Measures the studio against its limits. */
export async function studioSuite(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: "runs,points,watched,train" },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "3" },
      json: { type: "boolean" },
    },
  });
  if (!chromium) throw new Error("Chromium was not found. Run: apt-get install chromium");
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(describeMachine(where));
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const parts: Record<string, () => Promise<{ met: boolean }>> = {
    runs: () => manyRuns(rounds, say),
    points: () => millionPoints(say),
    watched: () => watched(rounds, seconds, say),
    train: () => trainingInPage(rounds, seconds, say),
  };
  const found: Record<string, { met: boolean }> = {};
  for (const name of values.only.split(",")) {
    if (!Object.hasOwn(parts, name))
      throw new Error(`Unknown part ${name}. Use ${Object.keys(parts).join(", ")}.`);
    found[name] = await parts[name]();
  }
  if (Object.values(found).some(({ met }) => !met)) process.exitCode = 1;
  if (values.json) say(JSON.stringify({ suite: "studio", machine: where, ...found }));
}

const verdict = (met: boolean) => (met ? "met" : "NOT met");

async function manyRuns(rounds: number, say: (text: string) => void) {
  const { median, low, high } = summary(await openManyRuns(1000, rounds));
  const met = median < promised.open;
  say(
    `\nA folder of 1,000 runs, from opening the page until all are listed, ${rounds} times with a new studio`,
  );
  say(
    `  ${Math.round(median)} ms (${Math.round(low)} to ${Math.round(high)}), under ${promised.open}: ${verdict(met)}`,
  );
  return { met, median, low, high };
}

async function millionPoints(say: (text: string) => void) {
  const { frames, loading } = await panMillionPoints(1_000_000, 300);
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))];
  const [middle, high] = [at(0.5), at(0.95)];
  const met = high <= promised.frame;
  say(
    `\nA run of 1,000,000 rows, its curves panned for ${frames.length} frames: script and drawing time of a frame`,
  );
  say(
    `  median ${middle.toFixed(1)} ms, 95th percentile ${high.toFixed(1)} ms, at most ${promised.frame}: ${verdict(met)}`,
  );
  say(`  read in ${(loading / 1000).toFixed(1)} s, drawn on the way`);
  return { met, middle, high, loading };
}

async function watched(rounds: number, seconds: number, say: (text: string) => void) {
  const { alone, watched: seen } = await watchedTraining(rounds, seconds);
  const [before, after] = [summary(alone), summary(seen)];
  const cost = 1 - after.median / before.median;
  const met = cost < promised.watched;
  const shown = ({ median, low, high }: typeof before) =>
    `${Math.round(median)} steps/s (${Math.round(low)} to ${Math.round(high)})`;
  say(`\nPPO on CartPole on one thread, medians of ${rounds} rounds of ${seconds} s`);
  say(`  alone                 ${shown(before)}`);
  say(`  while watched         ${shown(after)}`);
  say(`  slowed by ${(100 * cost).toFixed(1)}%, less than ${100 * promised.watched}%: ${verdict(met)}`);
  return { met, before, after, cost };
}
