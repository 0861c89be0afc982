import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { folder } from "./cli/testing.ts";
import { copyModules } from "./commands/importmap/copy.ts";
import { importMap, installedIn } from "./commands/importmap/map.ts";
import * as reins from "./index.ts";
import { chromium, done, fileIn, type Reply, visit } from "./testing-browser.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const packages = installedIn(root);
const map = importMap(packages);

/** Trains an agent briefly; the same text runs in Node, in a page and in a worker. */
const body = `
  setBackend("wasm");
  const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
  const agent = await train({ algorithm, env: "CartPole-v1", steps: 2048, evalEpisodes: 4, seed: 3 });
  return agent.return.mean + " " + agent.training.mean + " " + agent.act([0, 0, 0.1, 0.5]);
`;
const program = `
import { ppo, setBackend, train } from "reins";
import * as targets from "reins/core/targets";
import { textTasks } from "reins/language";
export async function learn() {
  if (typeof process !== "undefined") throw new Error("there is a process");
  if (!targets.gae || !textTasks.arithmetic) throw new Error("a subpath lacks names");
  ${body}
}`;

/** The result in Node. */
async function inNode(): Promise<string> {
  const Program = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<string>;
  return new Program("ppo", "setBackend", "train", body)(reins.ppo, reins.setBackend, reins.train);
}

const script = (text: string): Reply => ({ type: "text/javascript", text });
const page = (text: string): Reply => ({
  type: "text/html",
  text: `<!doctype html><link rel="icon" href="data:,"><script type="module">${done}\n${text}</script>`,
});

describe.skipIf(!chromium)("built modules without a bundler in a browser", () => {
  // Browsers fuse multiplications and additions; Node 20 does so with a flag.
  beforeEach(() => void vi.stubEnv("REINS_RELAXED_SIMD", "1"));
  afterEach(() => void vi.unstubAllEnvs());

  // Pages with an import map, and pages that are not isolated, are in pages.test.ts.
  it("a module worker of an isolated page loads copied files without an import map", async () => {
    const start = `
      const worker = new Worker("/worker.js", { type: "module" });
      done(new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message, filename, lineno }) => reject(new Error([message, filename, lineno].join(" ")));
      }));`;
    const copies = folder();
    const files = copyModules(root, packages, copies);
    const placed = program.replace(/(?<=from ")[^"]+/g, (name) => `/copies/${files[name]}`);
    const work = `${placed}\nlearn().then(postMessage, (e) => postMessage("failed: " + e.stack));`;
    const said = await visit(
      (path) => {
        if (path === "/") return page(start);
        if (path === "/worker.js") return script(work);
        return path.startsWith("/copies/") ? fileIn(copies, path.slice("/copies".length)) : undefined;
      },
      { isolated: true },
    );
    expect(said).toBe(await inNode());
  });
});

/** Resolves the import map in a realm with the language and a few browser globals, but nothing of Node. */
const realm = `
import { readFileSync } from "node:fs";
import { createContext, SourceTextModule } from "node:vm";
const [root, map, program] = JSON.parse(process.argv[1]);
const { performance, TextDecoder, TextEncoder, URL, Blob, crypto, setTimeout, clearTimeout, queueMicrotask, structuredClone } = globalThis;
const context = createContext({ performance, TextDecoder, TextEncoder, URL, Blob, crypto, setTimeout, clearTimeout, queueMicrotask, structuredClone });
const modules = new Map();
const find = (path) => modules.get(path) ?? add(path, readFileSync(root + path, "utf8"));
function add(path, text) {
  const module = new SourceTextModule(text, { context, identifier: path, importModuleDynamically: async (name, from) => {
    const found = resolve(name, from);
    if (found.status === "unlinked") await found.link(resolve);
    if (found.status === "linked") await found.evaluate();
    return found;
  }});
  modules.set(path, module);
  return module;
}
function resolve(name, { identifier }) {
  if (name.startsWith(".")) return find(new URL(name, "file://" + identifier).pathname);
  const scope = Object.keys(map.scopes).find((under) => identifier.startsWith(under));
  const path = (scope && map.scopes[scope][name]) ?? map.imports[name];
  if (!path) throw new Error(identifier + " imports " + name + ", which a browser would not find.");
  return find(path);
}
const main = add("/program.js", program);
await main.link(resolve);
await main.evaluate();
console.log(await main.namespace.learn());
`;

it("built modules need nothing of Node", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--no-warnings", "--experimental-vm-modules", "--input-type=module", "--eval", realm],
    JSON.stringify([root, map, program]),
  ]);
  expect(stdout.trim()).toBe(await inNode());
});
