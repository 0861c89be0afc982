import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columns, defaultRng, sampleValue, type VectorEnv, writeValue } from "@reins/core";
import { leaves, type Tensor, tensor } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { make } from "../registry.ts";
import { inWorkers, type WorkersOptions } from "./workers.ts";

const built = (path: string) => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href);
const folder = mkdtempSync(join(tmpdir(), "reins-workers-"));
const file = (name: string, code: string) => {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
};

/** Environments one by one, many in columns, and ones that fail. */
const single = file(
  "single.mjs",
  `import { makeSingle } from ${built("index.js")};
  export default ({ id, ...options }) => makeSingle(id, { ...options, rows: 1 });`,
);
const vector = file(
  "vector.mjs",
  `import { make } from ${built("index.js")};
  export default ({ id, ...options }) => make(id, options);`,
);
const trouble = file(
  "trouble.mjs",
  `export default class {
    spec = { id: "Trouble-v0", observation: { kind: "box", shape: [1], low: 0, high: 1 }, action: { kind: "discrete", n: 5, start: 0 } };
    reset() { return { observation: [0] }; }
    step(action) {
      if (action === 1) throw new Error("the wheel came off");
      if (action === 2) process.exit(3);
      if (action === 3) for (;;);
      return { observation: [0], reward: 1, terminated: false, truncated: false };
    }
  }`,
);

const opened: VectorEnv[] = [];
afterAll(() => {
  for (const env of opened) env.close!();
});
const spread = (path: string, options: WorkersOptions) => {
  const env = inWorkers(path, options);
  opened.push(env);
  return env;
};

const all = (env: VectorEnv) =>
  [
    ...leaves(env.observation),
    env.reward,
    env.terminated,
    env.truncated,
    ...(env.mask ? leaves(env.mask) : []),
  ].map((t) => [...t.data]);
const ends = (env: VectorEnv) => [[...env.ended.return], [...env.ended.length]];

/** Plays some environments with the same actions; all show the same. */
function same(envs: readonly VectorEnv[], steps: number, seed: number): number {
  const [{ spec, rows }] = envs;
  const random = defaultRng(seed);
  const action = columns(spec.action, rows);
  let ended = 0;
  for (let t = 0; t < steps; t++) {
    for (let row = 0; row < rows; row++)
      writeValue(spec.action, action, row, sampleValue(spec.action, random));
    for (const env of envs) env.step(action);
    const [first, ...others] = envs.map((env) => [...all(env), ...ends(env)]);
    for (const other of others) expect(other, `step ${t}`).toEqual(first);
    for (let row = 0; row < rows; row++) {
      if (!envs[0].ended.length[row]) continue;
      ended++;
      const [one, ...rest] = envs.map((env) =>
        leaves(env.final).map((f) => [...f.data.slice((row * f.size) / rows, ((row + 1) * f.size) / rows)]),
      );
      for (const other of rest) expect(other).toEqual(one);
    }
  }
  return ended;
}

describe.each([
  ["one by one", single],
  ["in columns", vector],
])("an environment written %s", (_, path) => {
  it.each(path === single ? ["CartPole-v1", "Blackjack-v1"] : ["Pendulum-v1"])(
    "%s plays the same episodes for any number of workers",
    (id) => {
      const rows = 7;
      const options = { id, maxSteps: 40 };
      const envs = [1, 3].map((workers) => spread(path, { workers, rows, options }));
      const here = make(id, { rows, maxSteps: 40 });
      for (const env of [here, ...envs]) env.reset({ seed: 5 });
      expect(same([here, ...envs], 100, 1)).toBeGreaterThan(3);
      // Without a seed the streams go on.
      for (const env of [here, ...envs]) env.reset();
      same([here, ...envs], 20, 2);
    },
  );
});

it("is saved and goes on", () => {
  const options = { workers: 2, rows: 3, options: { id: "CartPole-v1" } };
  const [one, two] = [spread(single, options), spread(single, options)];
  expect(one.savable).toBe(true);
  for (const env of [one, two]) env.reset({ seed: 1 });
  same([one], 15, 1);
  two.restore(one.save());
  same([one, two], 40, 2);
  const other = spread(single, { ...options, workers: 3 });
  expect(() => other.restore(one.save())).toThrow("saved with another number of workers than 3");
});

it("draws a row", () => {
  const env = spread(vector, { workers: 2, rows: 4, options: { id: "FrozenLake-v1" } });
  const here = make("FrozenLake-v1", { rows: 4 });
  for (const e of [env, here]) e.reset({ seed: 1 });
  same([env, here], 5, 4);
  for (const row of [0, 3]) expect(env.render!(row)).toBe(here.render!(row));
});

describe("what goes wrong in a worker is said here", () => {
  const step = (env: VectorEnv, ...actions: number[]) => env.step(tensor(Int32Array.from(actions)));

  it("an error, with its row and its stack", () => {
    const env = spread(trouble, { workers: 2, rows: 4 });
    env.reset();
    let error: Error | undefined;
    try {
      step(env, 0, 0, 0, 1);
    } catch (e) {
      error = e as Error;
    }
    expect(error!.message).toBe("Trouble-v0, row 3: step() failed: the wheel came off");
    expect((error!.cause as Error).stack).toContain("trouble.mjs");
    step(env, 0, 0, 0, 0);
    expect([...env.reward.data]).toEqual([1, 1, 1, 1]);
    expect(() => env.save()).toThrow("cannot be saved");
    expect(() => step(env, 0, 0, 0, 5)).toThrow("action 5 in row 3 is outside Discrete(5)");
  });

  it("a thread that ends, and one that hangs", () => {
    const ending = inWorkers(trouble, { workers: 1, rows: 1 });
    ending.reset();
    expect(() => step(ending, 2)).toThrow("its worker thread has ended");
    const hanging = inWorkers(trouble, { workers: 1, rows: 1, timeout: 200 });
    hanging.reset();
    expect(() => step(hanging, 3)).toThrow("a worker gave no answer for 200 ms");
    hanging.close!();
  });

  it("files that are none", () => {
    const missing = join(folder, "missing.mjs");
    expect(() => inWorkers(missing, { workers: 1 })).toThrow("Cannot find module");
    const empty = file("empty.mjs", "export const other = 1;");
    expect(() => inWorkers(empty, { workers: 2 })).toThrow("it exports no environment");
    const later = file(
      "later.mjs",
      `export default () => ({ spec: { id: "Later-v0", observation: { kind: "box", shape: [1], low: 0, high: 1 }, action: { kind: "discrete", n: 5, start: 0 } },
        reset: async () => ({ observation: [0] }) });`,
    );
    expect(() => spread(later, { workers: 1 }).reset()).toThrow("Later-v0 answers asynchronously");
    expect(() => inWorkers(single, { workers: 0 })).toThrow("workers is 0");
  });
});

it("columns are those of the space", () => {
  const env = spread(single, { workers: 2, options: { id: "CartPole-v1" } });
  expect([env.rows, (env.observation as Tensor).shape]).toEqual([2, [2, 4]]);
});
