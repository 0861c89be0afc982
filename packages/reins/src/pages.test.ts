import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, createServer, type Plugin } from "vite";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { folder, reins } from "./cli/testing.ts";
import { ppo, setBackend, train } from "./index.ts";
import { chromium, done, fileIn, Said, visit } from "./testing-browser.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const steps = 1024;
/** The example page reports its result to the test server. */
const telling = `<script type="module">${done} done(window.done);</script></body>`;

/** A user's project: the example, and installed packages. */
function project(): string {
  const path = folder();
  cpSync(join(root, "examples/page"), path, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return path;
}

const settings = (root: string, plugin: Omit<Plugin, "name"> = {}) => ({
  root,
  configFile: false as const,
  logLevel: "error" as const,
  cacheDir: join(root, ".vite"),
  // Vite treats installed packages differently from linked ones.
  resolve: { preserveSymlinks: true },
  plugins: [
    {
      name: "visit",
      transformIndexHtml: (html: string) => html.replace("</body>", telling),
      ...plugin,
    },
  ],
});

describe.skipIf(!chromium)("the example page trains CartPole in a worker and acts", () => {
  let expected = "";
  // The result in Node. Browsers fuse multiplications and additions; Node 20 does so with a flag.
  beforeAll(async () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    setBackend("wasm");
    const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
    const agent = await train({ algorithm, env: "CartPole-v1", steps, seed: 3, evalEpisodes: 4 });
    expected = `${agent.return.mean} ${agent.act([0, 0, 0.1, 0.5])} ${agent.steps}`;
    setBackend("auto");
    vi.unstubAllEnvs();
  });

  it("served by vite dev", { tags: ["slow"] }, async () => {
    const said = new Said();
    const server = await createServer(
      settings(project(), {
        configureServer: (vite) => {
          vite.middlewares.use((request, response, next) => said.takes(request, response) || next());
        },
      }),
    );
    await server.listen(0);
    try {
      const { port } = server.httpServer!.address() as AddressInfo;
      expect(await said.at(`http://localhost:${port}/?steps=${steps}`)).toBe(expected);
    } finally {
      await server.close();
    }
  });

  it("built by vite build, with its default settings", async () => {
    const from = project();
    await build(settings(from));
    const said = await visit((path) => fileIn(join(from, "dist"), path === "/" ? "/index.html" : path), {
      path: `/?steps=${steps}`,
    });
    expect(said).toBe(expected);
  });

  it("as native modules, by an import map and copied files", { tags: ["slow"] }, async () => {
    const from = project();
    const { code, out } = await reins("importmap", "--root", from, "--copy", join(from, "reins"));
    expect(code).toBe(0);
    expect(JSON.parse(out).imports["reins/agent"]).toBe("/reins/agent.js");
    const said = await visit(
      (path) => {
        const found = fileIn(from, path);
        return path.endsWith(".html") && found
          ? { ...found, text: String(found.text).replace("</body>", telling) }
          : found;
      },
      { path: `/native.html?steps=${steps}` },
    );
    expect(said).toBe(expected);
  });
});

/** The three lines of the page. */
const lines = `import { loadAgent } from "reins/agent";
const agent = await loadAgent("/cart.agent");
const action = agent.act([0, 0, 0.1, 0.5]);
`;

describe.skipIf(!chromium)("an agent trained in Node acts in a page, in three lines", () => {
  let expected = "";
  let bytes = new Uint8Array();
  const cart = (path: string) =>
    path === "/cart.agent" ? { type: "application/octet-stream", text: bytes } : undefined;
  const program = `${lines}${done} done(Promise.resolve(action + " " + agent.algorithm + " " + agent.spec.id));`;
  const html = (head: string, script: string) =>
    `<!doctype html><link rel="icon" href="data:,">${head}<script type="module"${script}</script>`;

  beforeAll(async () => {
    const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
    const agent = await train({ algorithm, env: "CartPole-v1", steps, evalEpisodes: 0 });
    bytes = new Uint8Array(await agent.save());
    expected = `${agent.act([0, 0, 0.1, 0.5])} ppo CartPole-v1`;
  });

  it("bundled", { tags: ["slow"] }, async () => {
    const from = project();
    writeFileSync(join(from, "index.html"), html("", ` src="./three.js">`));
    writeFileSync(join(from, "three.js"), program);
    await build({ ...settings(from), plugins: [], build: { target: "es2022" } });
    const said = await visit(
      (path) => cart(path) ?? fileIn(join(from, "dist"), path === "/" ? "/index.html" : path),
    );
    expect(said).toBe(expected);
  });

  it("as native modules", async () => {
    const from = project();
    const { out } = await reins("importmap", "--root", from);
    const text = html(`<script type="importmap">${out}</script>`, `>${program}`);
    const said = await visit((path) =>
      path === "/" ? { type: "text/html", text } : (cart(path) ?? fileIn(from, path)),
    );
    expect(said).toBe(expected);
  });
});
