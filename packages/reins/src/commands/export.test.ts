import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { grpo, ppo } from "@reins/algorithms";
import { readSafetensors, writeSafetensors } from "@reins/nn";
import { tensor } from "@reins/tensor";
import { describe, expect, it, vi } from "vitest";
import { loadAgent } from "../agents/eager.ts";
import { folder, reins } from "../cli/testing.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** A short run in its own folder. */
async function trained(directory: string, options: object = {}) {
  const algorithm = ppo({ envs: 2, steps: 32, hidden: [8] });
  return train({ algorithm, env: "CartPole-v1", steps: 128, evalEpisodes: 0, directory, ...options });
}

it("writes an agent with its training state, from which training continues", async () => {
  const here = folder();
  const [run, file] = [join(here, "run"), join(here, "mine.agent")];
  await trained(run);
  const { code, out } = await reins("export", run, "--agent", file);
  expect(code).toBe(0);
  expect(out).toMatch(/mine\.agent {3}[\d ]+ bytes {3}agent with its training state$/m);
  const more = await train({ from: readFileSync(file), steps: 128, evalEpisodes: 0 });
  expect(more.steps).toBe(128);
  const best = await reins("export", run, "--agent", file, "--best");
  expect(best.err).toContain("--best cannot be combined with --agent");
  const plain = join(here, "plain.agent");
  await more.save(plain);
  expect((await reins("export", plain, "--agent", file)).err).toContain("saved without its training state");
});

it("exports an agent in three formats and prints their sizes", async () => {
  const here = folder();
  const run = join(here, "run");
  const agent = await trained(run, { wrappers: ["normaliseObservation"] });
  const [onnx, module, weights] = ["p.onnx", "web/act.js", "w.safetensors"].map((name) => join(here, name));
  const { code, out, err } = await reins(
    "export",
    run,
    "--onnx",
    onnx,
    "--module",
    module,
    "--safetensors",
    weights,
  );
  expect(err).toBe("");
  expect(code).toBe(0);
  const [first, ...rest] = out.trim().split("\n");
  expect(first).toBe(`${run}   ppo on CartPole-v1, after 128 steps`);
  // Inputs and outputs are listed below the model.
  const lines = rest.filter((line) => !line.startsWith("  "));
  expect(rest.slice(1, 4)).toEqual([
    "  inputs    observation   float32 [rows, 4]",
    "  outputs   action   int32 [rows]",
    "            scores   float32 [rows, 2]",
  ]);
  expect(lines[0]).toMatch(/p\.onnx {3}[\d ]+ bytes {3}ONNX model, opset 17$/);
  expect(lines[1]).toMatch(
    /act\.js {3}[\d ]+ bytes {3}JavaScript module without imports; types in .*act\.d\.ts$/,
  );
  expect(lines[2]).toMatch(/w\.safetensors {3}[\d ]+ bytes {3}weights by name$/);
  expect(readFileSync(module, "utf8")).not.toContain("import");
  expect(readFileSync(join(here, "web", "act.d.ts"), "utf8")).toContain(
    "export declare function act(observation: Observation): Action;",
  );
  const { act } = await import(pathToFileURL(module).href);
  for (const x of [-0.04, -0.01, 0.01, 0.04]) expect(act([0, x, x, -x])).toBe(agent.act([0, x, x, -x]));
  expect(() => act([1, 2])).toThrow("act: observation has 2 numbers, expected 4.");
  expect(() => act([1, 2, 3, "x"])).toThrow("act: observation contains x, which is not a number.");
  const { tensors, metadata } = readSafetensors(readFileSync(weights));
  expect(tensors.get("actor.layers.0.weight")?.shape).toEqual([4, 8]);
  expect([...tensors.keys()]).toContain("normaliseObservation.mean");
  expect(metadata).toMatchObject({ env: "CartPole-v1", algorithm: "ppo", steps: "128" });
});

/** A program that must compile, with a call that must not. */
const use = `import { about, act, start } from "./act.mjs";
const { action, state } = act([0, 0, 0, 0], start(), { mask: [1, 1] });
const next: number = act(Float32Array.of(0, 0, 0, 0), state, { mask: Uint8Array.of(1, 1) }).action;
console.log(about.env.length, action + next);
act([0, 0, 0, 0], state, [true, false]);
// @ts-expect-error A mask is needed.
act([0, 0, 0, 0], state);
`;

it("a recurrent agent returns its typed state", async () => {
  const here = folder();
  const agent = await trained(join(here, "run"), {
    algorithm: ppo({ envs: 4, steps: 32, hidden: [8], memory: "gru", units: 4 }),
  });
  const file = join(here, "cart.agent");
  await agent.save(file);
  const module = join(here, "act.mjs");
  expect((await reins("export", file, "--module", module, "--mask")).code).toBe(0);
  const { act, start } = await import(pathToFileURL(module).href);
  const own = await loadAgent(file);
  const mask = [1, 0];
  let state = start();
  for (const x of [0.3, -0.2, 0.1]) {
    const made = act([x, x, -x, x], state, { mask });
    expect(made.action).toBe(own.act([x, x, -x, x], mask));
    state = made.state;
  }
  writeFileSync(join(here, "use.mts"), use);
  const tsc = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url));
  const how = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", join(here, "use.mts")];
  expect(() => execFileSync(process.execPath, [tsc, ...how, "--types", ""], { cwd: here })).not.toThrow();
  const types = readFileSync(join(here, "act.d.mts"), "utf8");
  expect(types).toContain("export type State = readonly [Float32Array];");
  expect(types).toContain("export type Mask = ArrayLike<number | boolean>;");
});

it("warns if masks are left out", async () => {
  const here = folder();
  const run = join(here, "run");
  await trained(run, { env: "ConnectFour-v0" });
  const module = join(here, "act.mjs");
  const left = await reins("export", run, "--module", module);
  expect([left.code, left.err]).toEqual([0, expect.stringContaining("ConnectFour-v0 has action masks")]);
  expect(left.err).toContain("Add --mask.");
  const weights = await reins("export", run, "--safetensors", join(here, "w.safetensors"));
  expect(weights.err).toBe("");
  const again = join(here, "again.mjs");
  expect((await reins("export", run, "--module", again, "--mask")).err).toBe("");
  const { act } = await import(pathToFileURL(again).href);
  const board = new Uint8Array(6 * 7 * 2);
  const mask = [0, 0, 1, 0, 0, 0, 0];
  expect([act(board, { mask }), act(board, mask), act(board, mask.map(Boolean))]).toEqual([2, 2, 2]);
  expect(() => act(board)).toThrow("act: missing mask with an entry (1 or 0) for each choice");
  expect(() => act(board)).toThrow("Call act(observation, { mask }).");
  expect(() => act(board, { mask: [1] })).toThrow("act: mask has 1 entries, expected 7.");
  expect(() => act(board, new Uint8Array(7))).toThrow("act: the mask allows no action.");
});

describe("export errors", () => {
  it("name the problem and the remedy", async () => {
    const here = folder();
    const to = ["--onnx", join(here, "p.onnx")];
    const refused = async (...args: string[]) => {
      const { code, err } = await reins("export", ...args);
      expect(code).toBeGreaterThan(0);
      return err;
    };
    expect(await refused(join(here, "none.agent"), ...to)).toContain("does not exist");
    expect(await refused("no-such-run", ...to)).toContain("unknown run no-such-run");
    expect(await refused(join(here, "none.agent"))).toContain("missing output. Add --onnx policy.onnx");
    const text = join(here, "x.agent");
    writeFileSync(text, "hello, world");
    expect(await refused(text, ...to)).toContain("safetensors");
    const weights = join(here, "w.agent");
    writeFileSync(weights, writeSafetensors([["w", tensor([1, 2])]]));
    expect(await refused(weights, ...to)).toContain("not written by agent.save()");
    const agent = await trained(join(here, "run"));
    const file = join(here, "cart.agent");
    await agent.save(file);
    const taken = join(here, "taken");
    mkdirSync(taken);
    expect(await refused(file, "--onnx", taken)).toContain("it cannot be written");
    expect(await refused(file, "--onnx", join(file, "p.onnx"))).toContain("it cannot be written");
    expect(await refused(file, "--module", join(here, "act.ts"))).toContain("must end in .js or .mjs");
  });

  it("a language model is written as a Hugging Face folder", async () => {
    const here = folder();
    const envOptions = { level: 1, layers: 1, width: 16, heads: 2, supervisedTokens: 0, rows: 8 };
    const algorithm = grpo({ groups: 2, groupSize: 2 });
    await train({
      algorithm,
      env: "arithmetic",
      envOptions,
      steps: 8,
      evalEpisodes: 0,
      directory: join(here, "run"),
    });
    const refused = await reins("export", join(here, "run"), "--onnx", join(here, "p.onnx"));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("language models cannot be exported this way");
    expect(refused.err).toContain("--save-model FOLDER");
  });
});
