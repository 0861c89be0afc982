import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { expect, it, vi } from "vitest";
import * as reins from "./index.ts";

const chromium = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((f) => f && existsSync(f));

/** Trains a network, then an agent, on the wasm back end; the same text runs in Node and in the page. */
const program = `
  setBackend("wasm");
  const network = nn.mlp({ inputs: 1, hidden: [32, 32], outputs: 1 });
  const optimiser = nn.adam({ learningRate: 2e-3 });
  const update = compile((params, state) => {
    const x = random.uniform(random.foldKey(random.key(7), state.step), [64, 1], -3, 3);
    const { value, gradient } = valueAndGradient((p) => mseLoss(network.apply(p, x), sin(x)))(params);
    return { ...optimiser.update(gradient, state, params), loss: value };
  }, { donate: [0, 1], backend: "wasm", threads: 1 });
  const params = network.init(random.key(1));
  const step = update.bind(params, optimiser.init(params));
  for (let i = 0; i < 300; i++) step.run();
  const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
  const agent = await train({ algorithm, env: "CartPole-v1", steps: 2048, evalEpisodes: 4, progressEvery: 20 });
  return step.result.loss.item() + " return " + agent.return.mean + " " + agent.training.mean;
`;

it.skipIf(!chromium)("trains in a browser with the numbers of Node", async () => {
  // Browsers fuse multiplications and additions; Node 20 does so when it is asked to.
  vi.stubEnv("REINS_RELAXED_SIMD", "1");
  const names = "compile, mseLoss, nn, ppo, random, setBackend, sin, train, valueAndGradient".split(", ");
  const Program = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<string>;
  const expected = await new Program(...names, program)(
    ...names.map((name) => reins[name as keyof typeof reins]),
  );
  const entry = `import { ${names.join(", ")} } from "reins";
    const run = async () => { ${program} };
    run().then((text) => { document.title = "loss " + text; }, (e) => { document.title = "failed: " + e.stack; });`;
  const script = await bundle(entry);
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", request.url === "/page.js" ? "text/javascript" : "text/html");
    response.end(
      request.url === "/page.js"
        ? script
        : '<!doctype html><title>waiting</title><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const profile = mkdtempSync(join(tmpdir(), "reins-chromium-"));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const flags =
      "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
    const { stdout } = await promisify(execFile)(
      chromium!,
      [
        ...flags.split(" "),
        `--user-data-dir=${profile}`,
        "--virtual-time-budget=30000",
        "--dump-dom",
        address,
      ],
      { timeout: 90_000 },
    );
    expect(stdout.match(/<title>(.*?)<\/title>/s)?.[1]).toBe(`loss ${expected}`);
  } finally {
    vi.unstubAllEnvs();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

/** The page's script, bundled for browsers from the packages' builds. */
async function bundle(entry: string): Promise<string> {
  const id = "virtual:page";
  const result = await build({
    root: fileURLToPath(new URL("..", import.meta.url)),
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "page",
        resolveId: (x) => (x === id ? x : undefined),
        load: (x) => (x === id ? entry : undefined),
      },
    ],
    build: { write: false, target: "es2022", minify: false, rollupOptions: { input: id } },
  });
  const [{ output }] = [result].flat() as { output: { type: string; code?: string }[] }[];
  return output.find((o) => o.type === "chunk")!.code!;
}
