import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Value, VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { leaves, matchLeaves, type Tensor, type Tree, tensor } from "@reins/tensor";
import { afterAll, describe, expect, it, vi } from "vitest";
import { make } from "../registry.ts";
import { gymnasium, pettingzoo } from "./python.ts";
import { hasExited, isAlive } from "./testing-process.ts";
import { hasGymnasium, hasMiniGrid, python, testingFolder } from "./testing-python.ts";

vi.stubEnv("PYTHONPATH", testingFolder);

const opened: VectorEnv[] = [];
afterAll(() => {
  for (const env of opened) env.close!();
});
const made = (id: string, rows: number, options = {}) => {
  const env = gymnasium(id, { timeout: 20_000, ...options }).make(rows);
  opened.push(env);
  return env;
};

/** All numbers of a step, by row. */
const seen = (env: VectorEnv) =>
  [...matchLeaves(make0(env), env.observation, "test"), env.reward, env.terminated, env.truncated].map(
    (t) => [...t.data],
  );
const make0 = (env: VectorEnv): Tree => columns(env.spec.observation, env.rows);

const trajectories: [id: string, steps: number, options?: { there: object; here: object }][] = [
  ["CartPole-v1", 600],
  ["MountainCar-v0", 450],
  ["MountainCarContinuous-v0", 300],
  ["Pendulum-v1", 450],
  ["Acrobot-v1", 100],
  ["FrozenLake-v1", 300],
  [
    "FrozenLake-v1",
    300,
    { there: { isSlippery: false, mapName: "8x8" }, here: { slippery: false, map: "8x8", maxSteps: 100 } },
  ],
  ["CliffWalking-v1", 200],
  ["Taxi-v4", 450],
  ["Blackjack-v1", 200],
];

describe.skipIf(!hasGymnasium)(`environments in Python (${python} needs gymnasium)`, () => {
  it.each(trajectories)("%s plays the same episodes as here (%i steps)", (id, steps, options) => {
    const rows = 5;
    const there = made(id, rows, { options: options?.there });
    const here = make(id, { rows, ...options?.here });
    const random = defaultRng(1);
    const action = columns(here.spec.action, rows);
    expect(there.spec.action).toEqual(here.spec.action);
    for (const env of [there, here]) env.reset({ seed: 11 });
    expect(seen(there)).toEqual(seen(here));
    let ended = 0;
    for (let t = 0; t < steps; t++) {
      for (let row = 0; row < rows; row++)
        writeValue(here.spec.action, action, row, sampleValue(here.spec.action, random));
      for (const env of [there, here]) env.step(action);
      const [a, b] = [seen(there), seen(here)];
      // Pendulum squares a torque with the C library's pow, which may miss the last bit of a reward.
      if (id === "Pendulum-v1") for (const all of [a, b]) all[1] = all[1].map((x) => Math.round(x * 1e5));
      expect(a, `step ${t}`).toEqual(b);
      for (let row = 0; row < rows; row++) {
        if (!here.terminated.data[row] && !here.truncated.data[row]) continue;
        ended++;
        const last = (env: VectorEnv) =>
          leaves(env.final).map((f) => [...f.data.slice((row * f.size) / rows, ((row + 1) * f.size) / rows)]);
        expect(last(there)).toEqual(last(here));
        expect(there.ended.length[row]).toBe(here.ended.length[row]);
        expect(there.ended.return[row]).toBeCloseTo(here.ended.return[row], 2);
      }
    }
    if (id !== "Acrobot-v1" && id !== "MountainCarContinuous-v0" && id !== "CliffWalking-v1")
      expect(ended).toBeGreaterThan(0);
    there.close!();
  });

  it("every space is converted both ways", () => {
    const env = made("reins_testing:Echo-v0", 3);
    const { action: space, observation } = env.spec;
    expect(observation).toEqual(space);
    expect((space as { spaces: object }).spaces).toMatchObject({
      picture: { kind: "image", height: 6, width: 5, channels: 3 },
      "channels first": { kind: "image", height: 6, width: 5, channels: 2 },
      grey: { kind: "image", height: 3, width: 4, channels: 1 },
      bits: { kind: "multiBinary", n: 3 },
      sizes: { kind: "multiDiscrete", sizes: [2, 3] },
      pair: {
        kind: "tuple",
        spaces: [
          { kind: "discrete", n: 3, start: 1 },
          { shape: [2], low: -1 },
        ],
      },
      1: { kind: "box", shape: [], low: -1, high: 1 },
      2: { kind: "box", shape: [2], low: [0, Number.NEGATIVE_INFINITY] },
    });
    const random = defaultRng(2);
    env.reset({ seed: 1 });
    const action = columns(space, 3);
    for (let t = 0; t < 5; t++) {
      for (let row = 0; row < 3; row++) {
        const value = sampleValue(space, random) as { [name: string]: Value };
        writeValue(space, action, row, { ...value, "2": [0.5, row] });
      }
      env.step(action);
      expect([...env.reward.data]).toEqual([1, 1, 1]);
      matchLeaves(action, env.observation, "test").forEach((t, i) => {
        expect([...t.data]).toEqual([...leaves(action)[i].data]);
      });
    }
  });

  it("bytes within other bounds than 0 and 255 are numbers, not an image", () => {
    const env = made("reins_testing:Board-v0", 1);
    expect(env.spec.observation).toEqual({ kind: "box", shape: [3, 2], low: 0, high: 1 });
    env.reset({ seed: 1 });
    expect([...(env.observation as Tensor).data]).toEqual([1, 0, 0, 1, 1, 1]);
  });

  it("observations outside of their space are reported", () => {
    const of = (what: string) => made("reins_testing:Beyond-v0", 2, { options: { what } });
    expect(() => of("few").reset({ seed: 1 })).toThrow(
      "row 0: ValueError: an observation has the shape (1,), but its space has (4,)",
    );
    const env = of("choice");
    env.reset({ seed: 1 });
    expect(() => env.step(tensor(Int32Array.of(0, 0)))).toThrow(
      "row 0: its observation contains the choice 4; its space allows 1 to 3",
    );
  });

  it("large images use shared memory", () => {
    const env = made("reins_testing:Film-v0", 8);
    env.reset({ seed: [0, 1, 2, 3, 4, 5, 6, 7] });
    const action = tensor(new Int32Array(8));
    const size = 84 * 84 * 3;
    const marks = (tree: Tree) =>
      Array.from({ length: 8 }, (_, row) => {
        const own = (tree as Tensor).data.subarray(row * size, (row + 1) * size);
        expect(new Set(own).size).toBe(1);
        return own[0];
      });
    expect(marks(env.observation)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    env.step(action);
    env.step(action);
    expect(marks(env.observation)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    env.step(action);
    expect(marks(env.final)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(marks(env.observation)).toEqual(new Array(8).fill(100));
    expect([...env.truncated.data, ...env.ended.return]).toEqual([
      ...new Array(8).fill(1),
      ...new Array(8).fill(1.5),
    ]);
  });

  it("parallel agents are rows", () => {
    const env = pettingzoo("reins_testing", { timeout: 20_000 }).make(2);
    opened.push(env);
    expect([env.rows, env.spec.agents]).toEqual([6, { names: ["a", "b", "c"], order: "parallel" }]);
    env.reset({ seed: 1 });
    const action = tensor(Int32Array.of(0, 1, 2, 3, 4, 0));
    const alive = () => [...env.alive!.data].join("");
    expect(alive()).toBe("111111");
    env.step(action);
    expect([...env.reward.data]).toEqual([0, 1, 2, 3, 4, 0]);
    env.step(action);
    expect(alive()).toBe("011011");
    expect([...env.terminated.data].join("")).toBe("100100");
    expect([...env.ended.return]).toEqual([0, 0, 0, 6, 0, 0]);
    env.step(action);
    expect(env.reward.data[3]).toBe(0);
    env.step(action);
    expect([...env.truncated.data].join("")).toBe("011011");
    expect([...env.ended.length]).toEqual([0, 4, 4, 0, 4, 4]);
    expect(alive()).toBe("111111");
    expect([...(env.observation as Tensor).data.slice(0, 4)]).toEqual([0, 97, 0, 98]);
    expect([...(env.final as Tensor).data.slice(2, 4)]).toEqual([4, 98]);
  });

  it("an agent that joins later acts on its own first observation", () => {
    const options = { timeout: 20_000, options: { late: true, masked: true }, masks: true };
    const env = pettingzoo("reins_testing", options).make(1);
    opened.push(env);
    env.reset({ seed: 1 });
    const action = tensor(Int32Array.of(0, 1, 2));
    const alive = () => [...env.alive!.data].join("");
    expect(alive()).toBe("110");
    env.step(action);
    expect([alive(), [...env.begins!.data].join("")]).toEqual(["111", "001"]);
    expect([...(env.observation as Tensor).data.slice(4)]).toEqual([1, 99]);
    expect([...(env.mask as Tensor).data.slice(10)].join("")).toBe("00100");
    for (let t = 0; t < 3; t++) env.step(action);
    expect([...env.ended.length]).toEqual([0, 4, 3]);
    expect([...env.ended.return]).toEqual([0, 4, 6]);
    expect([alive(), [...env.begins!.data].join("")]).toEqual(["110", "110"]);
  });

  describe("action masks", () => {
    const narrow = (rows: number, options: object) => {
      const env = made("reins_testing:Narrow-v0", rows, options);
      env.reset({ seed: 1 });
      return env;
    };
    const allowed = (env: VectorEnv) => [...(env.mask as Tensor).data].join("");

    it.each(["info", "method"])("come with the %s", (says) => {
      const env = narrow(2, { options: { says } });
      expect((env.mask as Tensor).shape).toEqual([2, 3]);
      const seen = [allowed(env)];
      for (let t = 0; t < 5; t++) {
        env.step(tensor(Int32Array.of(t % 3, 0)));
        seen.push(allowed(env));
      }
      // The fifth step has begun the next episode.
      expect(seen).toEqual(["100100", "010010", "001001", "100100", "010010", "100100"]);
      expect([...env.ended.return]).toEqual([5, 2]);
      // The next in turn, which belongs to the state in which the episode was truncated.
      expect([...(env.finalMask as Tensor).data].join("")).toBe("001001");
    });

    it("have a part for each choice of several", () => {
      const env = narrow(1, { options: { many: true } });
      expect(allowed(env)).toBe("10010");
      env.step(tensor([[0, 0]], { dtype: "i32" }));
      expect(allowed(env)).toBe("01011");
    });

    it("allow everything where they are off or absent", () => {
      expect(narrow(1, { masks: false }).mask).toBeUndefined();
      expect(narrow(1, { options: { says: "nothing" } }).mask).toBeUndefined();
      expect(made("Pendulum-v1", 1).mask).toBeUndefined();
    });

    it("are validated", () => {
      expect(() => narrow(1, { options: { says: "too few" } })).toThrow(
        "row 0: ValueError: the action mask has 2 entries, but the action has 3 choices",
      );
      const env = narrow(2, { options: { says: "nothing allowed" } });
      env.step(tensor(Int32Array.of(0, 0)));
      expect(() => env.step(tensor(Int32Array.of(0, 0)))).toThrow("row 0: mask() allows no action");
    });

    it("are those of each agent", () => {
      const env = pettingzoo("reins_testing", { timeout: 20_000, options: { masked: true } }).make(1);
      opened.push(env);
      env.reset({ seed: 1 });
      expect(allowed(env)).toBe("100000100000100");
      for (let t = 0; t < 2; t++) env.step(tensor(Int32Array.of(0, 1, 2)));
      // The first has left.
      expect(allowed(env)).toBe("111110100000100");
    });
  });

  describe("text in the observation", () => {
    const codes = (text: string, length: number) =>
      Array.from({ length }, (_, i) => (i < text.length ? (text.charCodeAt(i) + 1) / 128 : 0));
    const sets = { action: tensor(Int32Array.of(0, 0)) };

    it("is left out of a Dict, with one warning", () => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
      const env = made("reins_testing:Told-v0", 2);
      made("reins_testing:Told-v0", 1);
      expect(warn.mock.calls).toEqual([
        [
          expect.stringContaining(
            "Told-v0: the observation.mission is text and left out. To encode it: --env-text 32",
          ),
        ],
      ]);
      warn.mockRestore();
      expect(env.spec.observation).toEqual({ kind: "dict", spaces: { direction: expect.any(Object) } });
      env.reset({ seed: 1 });
      for (let t = 0; t < 5; t++) env.step(sets.action);
      expect([...(env.observation as { direction: Tensor }).direction.data]).toEqual([0, 0]);
      expect([...(env.final as { direction: Tensor }).direction.data]).toEqual([1, 1]);
    });

    it("is a box of its first characters if requested", () => {
      const env = made("reins_testing:Told-v0", 2, { text: 6 });
      expect(env.spec.observation).toMatchObject({
        spaces: { mission: { kind: "box", shape: [6], low: 0, high: 1 } },
      });
      env.reset({ seed: 1 });
      const mission = () => [...(env.observation as { mission: Tensor }).mission.data];
      expect(mission()).toEqual([...codes("go", 6), ...codes("go", 6)]);
      env.step(sets.action);
      expect(mission()).toEqual([...codes("go the", 6), ...codes("go the", 6)]);
      const whole = gymnasium("reins_testing:Wordy-v0", { text: 3 });
      expect(whole.spec.observation).toMatchObject({ kind: "box", shape: [3] });
    });

    it.skipIf(!hasMiniGrid)("of MiniGrid: its mission", () => {
      const env = made("minigrid:MiniGrid-Empty-5x5-v0", 2, { text: 24 });
      expect(env.spec.observation).toMatchObject({
        spaces: {
          image: { kind: "image", height: 7, width: 7, channels: 3 },
          direction: { kind: "discrete", n: 4 },
          mission: { kind: "box", shape: [24] },
        },
      });
      env.reset({ seed: 1 });
      const { mission, direction } = env.observation as { mission: Tensor; direction: Tensor };
      expect([...mission.data.slice(0, 24)]).toEqual(codes("get to the green goal square", 24));
      expect([...direction.data]).toEqual([0, 0]);
      env.step(tensor(Int32Array.of(1, 0)));
      expect([...direction.data]).toEqual([1, 3]);
    });
  });

  it("renders Gymnasium's text rendering", () => {
    const env = made("FrozenLake-v1", 2);
    env.reset({ seed: 1 });
    expect(env.render!(1)).toContain("FFFH");
  });

  it("errors in Python are reported here", () => {
    const env = made("reins_testing:Trouble-v0", 2);
    const name = "gymnasium:reins_testing:Trouble-v0";
    env.reset();
    const step = (...actions: number[]) => env.step(tensor(Int32Array.from(actions)));
    step(0, 4);
    expect(() => step(0, 1)).toThrow(/row 1: ValueError: the wheel came off\.\n(.|\n)*in step/);
    // It continues, as it does in Python.
    step(0, 0);
    expect(() => step(5, 0)).toThrow(`${name}, row 0: its observation contains NaN; it must be finite.`);
    expect(() => step(0, 6)).toThrow(`${name}, row 1: the reward is Infinity; it must be finite.`);
    expect(() => step(0, 9)).toThrow("action 9 in row 1 is outside Discrete(7)");
    expect(() => env.save()).toThrow("lives in a Python process");
    expect(() => step(0, 2)).toThrow(/the Python process ended\. Its last output:\n(.|\n)*a last word/);
    expect(() => step(0, 0)).toThrow("it was closed");
    expect(() => gymnasium("CartPole-v99")).toThrow(/gymnasium:CartPole-v99: .*doesn't exist/);
    expect(() => gymnasium("reins_testing:Wordy-v0")).toThrow("the observation is text. Encode its first");
    expect(() => gymnasium("CartPole-v1", { text: 0 })).toThrow("text is 0. Use the number of characters");
    expect(() => gymnasium("CartPole-v1", { timeout: -1 })).toThrow("timeout is -1");
    expect(() => gymnasium("CartPole-v1", { python: "no-such-python" })).toThrow("cannot be started");
    expect(() => made("CartPole-v1", 1).step(tensor(Int32Array.of(0)))).toThrow(
      "step() was called before reset()",
    );
  });

  it("a Python without gymnasium is named", () => {
    const bare = join(mkdtempSync(join(tmpdir(), "reins-bare-")), "python");
    writeFileSync(bare, `#!/bin/sh\nPYTHONPATH= exec ${python} -S "$@"\n`);
    chmodSync(bare, 0o755);
    expect(() => gymnasium("CartPole-v1", { python: bare })).toThrow(
      /has no (numpy|gymnasium)\. Install it there/,
    );
  });

  it("a step that takes too long is ended, and its stack is reported", () => {
    const env = made("reins_testing:Trouble-v0", 1, { timeout: 1000 });
    env.reset();
    expect(() => env.step(tensor(Int32Array.of(3)))).toThrow(
      /did not reply within 1 s and was ended(.|\n)*Timeout(.|\n)*in step/,
    );
  });

  it("the process ends with the last environment that it hosts", async () => {
    const place = gymnasium("reins_testing:Trouble-v0");
    const [one, two] = [place.make(1), place.make(2)];
    for (const env of [one, two]) env.reset();
    const pid = (env: VectorEnv) => (env.observation as Tensor).data[0];
    expect(pid(one)).toBe(pid(two));
    one.close!();
    two.step(tensor(Int32Array.of(0, 0)));
    two.close!();
    two.close!();
    expect(await hasExited(pid(two))).toBe(true);
    const again = place.make(1);
    again.reset();
    expect(pid(again)).not.toBe(pid(two));
    again.close!();
  });

  it("it ends when this process is killed, even in the middle of a step", async () => {
    const program = `
      import { gymnasium } from ${JSON.stringify(new URL("../../dist/packed/remote.js", import.meta.url).href)};
      import { tensor } from ${JSON.stringify(new URL("../../../tensor/dist/packed/index.js", import.meta.url).href)};
      const env = gymnasium("reins_testing:Trouble-v0", { timeout: 40_000 }).make(1);
      env.reset();
      process.stdout.write(env.observation.data[0] + "\\n", () => env.step(tensor(Int32Array.of(3))));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) =>
      child.stdout.on("data", (text) => resolve(Number(text))),
    );
    expect(isAlive(pid)).toBe(true);
    await new Promise((done) => setTimeout(done, 300));
    child.kill("SIGKILL");
    expect(await hasExited(pid)).toBe(true);
  });
});
