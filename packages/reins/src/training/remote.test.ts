import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import { type AsyncEnv, box, discrete, type Run } from "@reins/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { folder } from "../cli/testing.ts";
import { train } from "../train.ts";
import { askRun } from "./ask-run.ts";
import { Watch } from "./progress.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

/** An environment with two steps per episode. Copies created after training began, which are those of evaluations, wait for a gate. */
function gated() {
  let open = () => {};
  const gate = new Promise<void>((done) => {
    open = done;
  });
  let hasBegun = false;
  const make = (): AsyncEnv => {
    const waits = hasBegun;
    let step = 0;
    return {
      spec: { id: "Gated-v0", observation: box([1]), action: discrete(2), maxSteps: 2 },
      reset: async () => {
        step = 0;
        return { observation: [0] };
      },
      step: async () => {
        if (waits) await gate;
        hasBegun = true;
        step++;
        return { observation: [step], reward: 1, terminated: step === 2, truncated: false };
      },
    };
  };
  return { make, open };
}

it("answers commands during an evaluation, and applies them afterwards", async () => {
  const directory = join(folder(), "run");
  const { make, open } = gated();
  const training = train({
    algorithm: ppo({ envs: 1, steps: 8, minibatches: 1, hidden: [4] }),
    env: make,
    steps: 64,
    evalEvery: 16,
    evalEpisodes: 1,
    directory,
  });
  const status = async () => (await askRun(directory, { do: "status" })).state;
  await expect
    .poll(() => status().catch(() => undefined), { timeout: 30_000 })
    .toMatchObject({ evaluating: true });
  const { steps } = await status();
  expect(await askRun(directory, { do: "set", setting: "learningRate", value: 0.125 })).toMatchObject({
    state: { settings: { learningRate: 0.125 }, evaluating: true },
  });
  expect((await askRun(directory, { do: "pause" })).state).toMatchObject({
    paused: true,
    evaluating: true,
    steps,
  });
  // A checkpoint of this step must contain the evaluation.
  const saving = askRun(directory, { do: "save" });
  expect((await status()).evaluating).toBe(true);
  open();
  const { state } = await saving;
  expect([state.paused, state.evaluating]).toEqual([true, undefined]);
  await askRun(directory, { do: "stop" });
  expect((await training).ended).toBe("stopped");
}, 60_000);

it("time without training does not lower the speed", () => {
  const run = { steps: 0, options: { steps: 1000 }, metrics: {} } as Run;
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const watch = new Watch(run, 0);
  now = 1000;
  Object.assign(run, { steps: 100 });
  expect(watch.look().stepsPerSecond).toBe(100);
  // Half a second of training, then an evaluation of ten.
  now = 11_500;
  Object.assign(run, { steps: 150 });
  watch.leaveOut(10_000);
  expect(watch.progress().stepsPerSecond).toBe(100);
  expect([watch.look().stepsPerSecond, watch.overall]).toEqual([100, 100]);
});
