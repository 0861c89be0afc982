import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connect, relaxedSimd } from "../side.ts";
import { summary } from "../stats.ts";
import { openTrainPage } from "./page-side.ts";

/** Required share of Node's speed. */
const floor = 0.8;

/** Prints steps per second of the training page and of Node, their ratio, and whether it meets the requirement. */
export async function trainingInPage(rounds: number, seconds: number, say: (text: string) => void) {
  const flags = relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const side = fileURLToPath(new URL("node-side.js", import.meta.url));
  const env = { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1", REINS_QUIET: "1" };
  const node = await connect(spawn(process.execPath, [...flags, side, `${seconds}`], { env }));
  const page = await openTrainPage();
  const samples = { page: [] as number[], node: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
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
  say(`\nPPO on CartPole with tuned settings, WebAssembly, medians of ${rounds} rounds of ${seconds} s`);
  say(`  the page, with playback           ${shown(inPage)}`);
  say(`  Node                              ${shown(inNode)}`);
  say(`  ratio ${ratio.toFixed(3)}, at least ${floor}: ${ratio >= floor ? "met" : "NOT met"}`);
  return { met: ratio >= floor, page: inPage, node: inNode, ratio };
}
