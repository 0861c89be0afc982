import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyModules } from "../../reins/dist/commands/importmap/copy.js";
import { installedIn } from "../../reins/dist/commands/importmap/map.js";
import { chromium, fileIn, Said } from "../../reins/dist/testing-browser.js";
import { describeMachine, machine } from "./machine.ts";
import { cleanRlSettings } from "./rl/workloads.ts";
import { connect, relaxedSimd } from "./side.ts";
import { summary } from "./stats.ts";

export const browserHelp = `npm run bench -- browser [flags]    PPO on CartPole in a web worker in Chromium, against WebAssembly in Node; the sides alternate
  --rounds N      rounds of each side (default: 7)
  --seconds S     seconds of a round (default: 2)
  --json          print JSON as the last line`;

/** Required share of Node's speed. */
const floor = 0.9;

/** A round in the page's worker, as in `rl/reins-process.ts`. */
const worker = (seconds: number) => `
import { make, ppo, Run, setBackend } from "/copies/index.js";
setBackend("wasm");
const env = { spec: make("CartPole-v1", { rows: 1 }).spec, make: (rows) => make("CartPole-v1", { rows }) };
const run = new Run({ algorithm: ppo(${JSON.stringify(cleanRlSettings)}), env, steps: 1e12, seed: 1 });
const now = () => performance.now() / 1e3;
function measure() {
  const samples = [];
  for (const end = now() + ${seconds}; now() < end; ) {
    const start = now();
    const before = run.steps;
    do run.round();
    while (now() < start + ${seconds / 10});
    samples.push((now() - start) / (run.steps - before));
  }
  return samples;
}
measure();
// Works only during its own round.
for (;;) {
  await (await fetch("/turn")).text();
  await fetch("/samples", { method: "POST", body: JSON.stringify(measure()) });
}
`;

/** Chromium as a side of a comparison. */
class Page {
  private readonly said = new Said();
  private readonly copies = mkdtempSync(join(tmpdir(), "reins-copies-"));
  private readonly server = createServer((request, response) => this.answer(request, response));
  /** Synchronises rounds with the page. */
  private turn: Promise<ServerResponse>;
  private arrived = (_turn: ServerResponse) => {};
  private took = (_samples: number[]) => {};
  /** Rejects if the page reports an error. */
  private failed: Promise<never> = new Promise(() => {});
  private readonly seconds: number;

  constructor(seconds: number) {
    this.seconds = seconds;
    this.turn = this.nextTurn();
  }

  private nextTurn(): Promise<ServerResponse> {
    return new Promise((resolve) => {
      this.arrived = resolve;
    });
  }

  /** Resolves when the page has compiled and warmed up. */
  async start(): Promise<void> {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    copyModules(root, installedIn(root), this.copies);
    await new Promise<void>((ready) => this.server.listen(0, "127.0.0.1", ready));
    const { port } = this.server.address() as AddressInfo;
    this.failed = this.said.at(`http://127.0.0.1:${port}/`, 3_600_000).then((said) => {
      throw new Error(said);
    });
    this.failed.catch(() => {});
    await Promise.race([this.turn, this.failed]);
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.said.takes(request, response)) return;
    if (request.url === "/turn") return this.arrived(response);
    if (request.url === "/samples") {
      let body = "";
      request.on("data", (part) => (body += part)).on("end", () => this.took(JSON.parse(body)));
      response.end();
      return;
    }
    const found = this.replyTo(request.url!);
    response.statusCode = found ? 200 : 404;
    if (found) response.setHeader("Content-Type", found.type);
    response.end(found?.text);
  }

  private replyTo(path: string) {
    if (path === "/") return { type: "text/html", text: page };
    if (path === "/worker.js") return { type: "text/javascript", text: worker(this.seconds) };
    return path.startsWith("/copies/") ? fileIn(this.copies, path.slice("/copies".length)) : undefined;
  }

  async round(): Promise<number[]> {
    const turn = await Promise.race([this.turn, this.failed]);
    this.turn = this.nextTurn();
    const samples = new Promise<number[]>((resolve) => {
      this.took = resolve;
    });
    turn.end("go");
    return Promise.race([samples, this.failed]);
  }

  async stop(): Promise<void> {
    this.said.finish("");
    await this.failed.catch(() => {});
    this.server.closeAllConnections();
    this.server.close();
    rmSync(this.copies, { recursive: true, force: true });
  }
}

const page = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onerror = (event) => fetch("/done", { method: "POST", body: "failed: " + event.message });
</script>`;

/** Prints steps per second of both sides, and their ratio. */
export async function browserSuite(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "2" },
      json: { type: "boolean" },
    },
  });
  if (!chromium) throw new Error("Chromium was not found. Run: apt-get install chromium");
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(describeMachine(where));
  const seconds = Number(values.seconds);
  const flags = relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const ours = fileURLToPath(new URL("rl/reins-process.js", import.meta.url));
  const node = await connect(
    spawn(process.execPath, [...flags, ours, "--only", "ppo-cartpole", "--seconds", `${seconds}`], {
      env: { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1", REINS_QUIET: "1" },
    }),
  );
  const browser = new Page(seconds);
  const samples = { browser: [] as number[], node: [] as number[] };
  try {
    await browser.start();
    for (let round = 0; round < Number(values.rounds); round++) {
      samples.browser.push(...(await browser.round()));
      samples.node.push(...(await node.round()));
    }
  } finally {
    node.stop();
    await browser.stop();
  }
  const rate = (side: number[]) => {
    const { median, low, high } = summary(side);
    return { median: 1 / median, low: 1 / high, high: 1 / low };
  };
  const [inPage, inNode] = [rate(samples.browser), rate(samples.node)];
  const ratio = inPage.median / inNode.median;
  const shown = ({ median, low, high }: typeof inPage) =>
    `${Math.round(median)} steps/s (${Math.round(low)} to ${Math.round(high)})`;
  say(`\nppo-cartpole, WebAssembly, one thread, medians of ${values.rounds} rounds of ${seconds} s`);
  say(`  Chromium, in a worker   ${shown(inPage)}`);
  say(`  Node                    ${shown(inNode)}`);
  say(`  ratio ${ratio.toFixed(3)}, at least ${floor}: ${ratio >= floor ? "met" : "NOT met"}`);
  if (ratio < floor) process.exitCode = 1;
  if (values.json)
    say(JSON.stringify({ suite: "browser", machine: where, browser: inPage, node: inNode, ratio }));
}
