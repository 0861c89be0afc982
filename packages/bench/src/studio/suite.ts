import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "../../../reins/dist/testing-browser.js";
import { describeMachine, machine } from "../machine.ts";
import { connect, relaxedSimd } from "../side.ts";
import { summary } from "../stats.ts";
import { openTrainPage } from "./page-side.ts";

export const studioHelp = `npm run bench -- studio [flags]    CartPole in the training page of the studio, which draws, beside WebAssembly in Node, in turns
  --rounds N      turns of each side (7)
  --seconds S     seconds of a turn (3)
  --json          the last line is JSON`;

/** The share of Node's speed that the page is promised. */
const floor = 0.8;

/** Prints steps a second of both, and their ratio. */
export async function studioSuite(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "3" },
      json: { type: "boolean" },
    },
  });
  if (!chromium) throw new Error("There is no Chromium here. Run: apt-get install chromium");
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(describeMachine(where));
  const seconds = Number(values.seconds);
  const flags = relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const side = fileURLToPath(new URL("node-side.js", import.meta.url));
  const env = { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1", REINS_QUIET: "1" };
  const node = await connect(spawn(process.execPath, [...flags, side, `${seconds}`], { env }));
  const page = await openTrainPage();
  const samples = { page: [] as number[], node: [] as number[] };
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      samples.page.push(await page.turn(seconds));
      samples.node.push(...(await node.round()));
    }
  } finally {
    node.stop();
    await page.stop();
  }
  const rate = (all: number[]) => {
    const { median, low, high } = summary(all);
    return { median: 1 / median, low: 1 / high, high: 1 / low };
  };
  const [inPage, inNode] = [rate(samples.page), rate(samples.node)];
  const ratio = inPage.median / inNode.median;
  const shown = ({ median, low, high }: typeof inPage) =>
    `${Math.round(median)} steps/s (${Math.round(low)} to ${Math.round(high)})`;
  say(`\nPPO on CartPole as it was tuned, WebAssembly, medians of ${values.rounds} turns of ${seconds} s`);
  say(`  the page, which plays and draws   ${shown(inPage)}`);
  say(`  Node                              ${shown(inNode)}`);
  say(`  ratio ${ratio.toFixed(3)}, at least ${floor}: ${ratio >= floor ? "met" : "NOT met"}`);
  if (ratio < floor) process.exitCode = 1;
  if (values.json)
    say(JSON.stringify({ suite: "studio", machine: where, page: inPage, node: inNode, ratio }));
}
