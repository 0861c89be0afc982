import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorEnv } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { leaves, type Tensor, tensor } from "@reins/tensor";
import { afterEach, describe, expect, it } from "vitest";
import { make, makeSingle } from "../registry.ts";
import { hasExited, isAlive } from "./testing-process.ts";
import { inWorkers, type WorkersOptions } from "./workers.ts";

const built = (path: string) => JSON.stringify(new URL(`../../dist/packed/${path}`, import.meta.url).href);
const folder = mkdtempSync(join(tmpdir(), "reins-workers-"));
const file = (name: string, code: string) => {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
};

/** Single environments, vector environments, and failing ones. */
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
    spec = { id: "Trouble-v0", observation: { kind: "box", shape: [1], low: 0, high: 1e9 }, action: { kind: "discrete", n: 5, start: 0 } };
    reset() { return { observation: [process.pid] }; }
    step(action) {
      if (action === 1) throw new Error("the wheel came off");
      if (action === 2) { console.error("a last word"); process.exit(3); }
      if (action === 3) for (;;);
      if (action === 4) process.kill(process.pid, "SIGKILL");
      return { observation: [0], reward: 1, terminated: false, truncated: false };
    }
  }`,
);

const normalised = file(
  "normalised.mjs",
  `import { make, normaliseObservation } from ${built("index.js")};
  export default ({ rows }) => normaliseObservation(make("CartPole-v1", { rows }));`,
);

const opened: VectorEnv[] = [];
afterEach(async () => {
  for (const env of opened.splice(0)) env.close!();
  // Waiting for workers blocks the thread: the runner is served now and then.
  await new Promise(setImmediate);
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

/** Plays several environments with the same actions; all give the same results. */
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

const carriers = ["thread", "process"] as const;

describe.each([
  ["one by one", single],
  ["in columns", vector],
])("an environment written %s", (_, path) => {
  it.each(path === single ? ["Blackjack-v1"] : ["Pendulum-v1"])(
    "%s plays the same episodes for any number of workers, in threads and in processes",
    (id) => {
      const rows = 7;
      const options = { id, maxSteps: 40 };
      const envs = (
        [
          [1, "thread"],
          [3, "thread"],
          [2, "process"],
        ] as const
      ).map(([workers, carrier]) => spread(path, { workers, rows, options, carrier }));
      const here = make(id, { rows, maxSteps: 40 });
      for (const env of [here, ...envs]) env.reset({ seed: 5 });
      expect(same([here, ...envs], 100, 1)).toBeGreaterThan(3);
      // Without a seed the streams continue.
      for (const env of [here, ...envs]) env.reset();
      same([here, ...envs], 20, 2);
    },
  );
});

describe.each(carriers)("in a %s", (carrier) => {
  it("is saved, and resumes with any number of workers", () => {
    const options = { workers: 2, rows: 4, options: { id: "CartPole-v1" }, carrier };
    const [one, two] = [spread(single, options), spread(single, { ...options, workers: 3 })];
    const here = vectorise(() => makeSingle("CartPole-v1"), 4);
    expect(one.savable).toBe(true);
    for (const env of [one, two, here]) env.reset({ seed: 1 });
    same([one], 15, 1);
    two.restore(one.save());
    here.restore(one.save());
    same([one, two, here], 40, 2);
    one.restore(here.save());
    same([one, here], 10, 3);
    const fewer = spread(single, { ...options, rows: 3 });
    expect(() => fewer.restore(one.save())).toThrow("the checkpoint has 4 copies, but there are 3 here");
  });
});

describe("in either kind of worker", () => {
  const carrier = "process" as const;

  it("a batched environment resumes only with the same number of workers", () => {
    const options = { workers: 2, rows: 4, options: { id: "CartPole-v1" }, carrier };
    const [one, two] = [spread(vector, options), spread(vector, options)];
    for (const env of [one, two]) env.reset({ seed: 1 });
    same([one], 15, 1);
    two.restore(one.save());
    same([one, two], 40, 2);
    const other = spread(vector, { ...options, workers: 3 });
    expect(() => other.restore(one.save())).toThrow(
      "this batched environment was saved by 2 workers and can be resumed only with the same workers; here are 3 workers",
    );
  });

  it("renders a row", () => {
    const env = spread(vector, { workers: 2, rows: 4, options: { id: "FrozenLake-v1" }, carrier });
    const here = make("FrozenLake-v1", { rows: 4 });
    for (const e of [env, here]) e.reset({ seed: 1 });
    same([env, here], 5, 4);
    for (const row of [0, 3]) expect(env.render!(row)).toBe(here.render!(row));
    expect(() => env.render!(4)).toThrow("row 4 does not exist");
    const cart = spread(vector, { workers: 2, rows: 2, options: { id: "CartPole-v1" }, carrier });
    const own = make("CartPole-v1", { rows: 2 });
    for (const e of [cart, own]) e.reset({ seed: 1 });
    expect(cart.picture!(1)).toEqual(own.picture!(1));
  });
});

describe.each(carriers)("errors in a worker %s are reported here", (carrier) => {
  const step = (env: VectorEnv, ...actions: number[]) => env.step(tensor(Int32Array.from(actions)));

  it("an error, with its row and its stack", () => {
    const env = spread(trouble, { workers: 2, rows: 4, carrier });
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

  it("one that ends, and one that hangs", () => {
    const ending = spread(trouble, { workers: 2, rows: 4, carrier });
    ending.reset();
    const message = new RegExp(
      `trouble.mjs: worker ${carrier} 2 of 2.*, which plays rows 2 to 3 of Trouble-v0, has ended`,
    );
    expect(() => step(ending, 0, 0, 2, 0)).toThrow(message);
    expect(() => step(ending, 0, 0, 0, 0)).toThrow(message);
    const hanging = spread(trouble, { workers: 1, rows: 1, timeout: 200, carrier });
    hanging.reset();
    expect(() => step(hanging, 3)).toThrow(
      /worker .* 1 of 1.*, which plays row 0 of Trouble-v0, did not reply within 200 ms/,
    );
    hanging.close!();
  });

  it("invalid files", () => {
    const missing = join(folder, "missing.mjs");
    expect(() => inWorkers(missing, { workers: 1, carrier })).toThrow("Cannot find module");
    const empty = file("empty.mjs", "export const other = 1;");
    expect(() => inWorkers(empty, { workers: 2, carrier })).toThrow("it does not export an environment");
    const later = file(
      "later.mjs",
      `export default () => ({ spec: { id: "Later-v0", observation: { kind: "box", shape: [1], low: 0, high: 1 }, action: { kind: "discrete", n: 5, start: 0 } },
        reset: async () => ({ observation: [0] }) });`,
    );
    expect(() => spread(later, { workers: 1, carrier }).reset()).toThrow("Later-v0 answers asynchronously");
    expect(() => inWorkers(normalised, { workers: 2, carrier })).toThrow("its own running statistics");
    expect(() => inWorkers(single, { workers: 0, carrier })).toThrow("workers is 0");
  });
});

it("columns match the space", () => {
  const env = spread(single, { workers: 2, options: { id: "CartPole-v1" } });
  expect([env.rows, (env.observation as Tensor).shape]).toEqual([2, [2, 4]]);
});

it("an invalid carrier and timeout are rejected", () => {
  const carrier = "donkey" as "thread";
  expect(() => inWorkers(single, { workers: 1, carrier })).toThrow(
    'carrier is "donkey"; use thread or process',
  );
  expect(() => inWorkers(single, { workers: 1, timeout: -1 })).toThrow("timeout is -1");
});

describe("a process of its own", () => {
  const step = (env: VectorEnv, ...actions: number[]) => env.step(tensor(Int32Array.from(actions)));
  const pidOf = (env: VectorEnv) => (env.observation as Tensor).data[0];

  it("reports its exit code, or that it was killed, and its last output", () => {
    const env = () => {
      const made = spread(trouble, { workers: 1, rows: 1, carrier: "process" });
      made.reset();
      return made;
    };
    expect(() => step(env(), 2)).toThrow(/process.exit\(3\)\. Its last output:\na last word/);
    expect(() => step(env(), 4)).toThrow("it was killed or ran out of memory");
  });

  it("ends when it is closed, and when this process is killed in the middle of a step", async () => {
    const env = spread(trouble, { workers: 1, carrier: "process" });
    env.reset();
    const pid = pidOf(env);
    expect(pid).not.toBe(process.pid);
    env.close!();
    expect(await hasExited(pid)).toBe(true);
    expect(() => step(env, 0)).toThrow("it was closed");
    const program = `
      import { inWorkers } from ${built("remote.js")};
      import { tensor } from ${JSON.stringify(new URL("../../../tensor/dist/packed/index.js", import.meta.url).href)};
      const env = inWorkers(${JSON.stringify(trouble)}, { workers: 1, carrier: "process", timeout: 40_000 });
      env.reset();
      process.stdout.write(env.observation.data[0] + "\\n", () => env.step(tensor(Int32Array.of(3))));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const played = await new Promise<number>((resolve) => {
      child.stdout.on("data", (text) => resolve(Number(text)));
    });
    expect(isAlive(played)).toBe(true);
    await new Promise((done) => setTimeout(done, 300));
    child.kill("SIGKILL");
    expect(await hasExited(played)).toBe(true);
  });
});
