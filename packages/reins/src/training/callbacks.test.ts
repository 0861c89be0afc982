import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dqn, ppo } from "@reins/algorithms";
import type { EvaluationResult } from "@reins/core";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { load, resume } from "../load.ts";
import { train } from "../train.ts";
import type { EpisodeEvent } from "./callbacks.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const algorithm = ppo({ envs: 4, steps: 32, hidden: [16] });
const options = { algorithm, env: "CartPole-v1", steps: 2048, seed: 3, evalEpisodes: 4 };
const rowsIn = (path: string) =>
  readFileSync(join(path, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, number>);

it("calls back for steps, episodes, updates and evaluations without affecting training", async () => {
  const plain = await train(options);
  const told = { steps: 0, updates: 0 };
  const episodes: EpisodeEvent[] = [];
  const evaluations: EvaluationResult[] = [];
  const watched = await train({
    ...options,
    callbacks: [
      { onStep: (env) => void (told.steps += env.rows), onEpisode: (e) => void episodes.push(e) },
      { onUpdate: () => void told.updates++, onEvaluation: (e) => void evaluations.push(e) },
    ],
  });
  expect(told).toEqual({ steps: 2048, updates: 16 });
  expect(episodes).toHaveLength(watched.run.metrics.episodes);
  expect(episodes.every((e) => e.return === e.length && e.terminated)).toBe(true);
  expect(evaluations.map((e) => e.mean)).toEqual([watched.return.mean]);
  expect(watched.return).toEqual(plain.return);
  expect(watched.run.metrics).toEqual(plain.run.metrics);
});

it("callbacks log metrics, change settings and stop the run", async () => {
  const directory = join(folder(), "run");
  const saved: string[] = [];
  const stopped = await train({
    ...options,
    directory,
    callbacks: {
      onUpdate(_, control) {
        control.log("mine/twice", 2 * control.steps);
        if (control.steps === 512) control.set("learningRate", 1e-9);
        if (control.steps === 256) control.save();
        if (control.steps === 384)
          saved.push(...["last.agent", "checkpoints.written"].filter((f) => existsSync(join(directory, f))));
        if (control.steps === 1024) control.stop();
      },
    },
  });
  expect([stopped.ended, stopped.steps]).toEqual(["stopped", 1024]);
  expect(saved).toEqual(["last.agent", "checkpoints.written"]);
  expect(rowsIn(directory).every((row) => row["mine/twice"] === 2 * row.step)).toBe(true);
  expect(stopped.run.process.settings.learningRate.shown).toBeCloseTo(1e-9, 12);
  expect((await resume(directory, { evalEpisodes: 0 })).steps).toBe(2048);
});

it("evaluates during training, saves the best agent, and logs the same rows after a resume", async () => {
  const [whole, parts] = [join(folder(), "run"), join(folder(), "run")];
  const often = { ...options, evalEvery: 512 };
  await train({ ...often, directory: whole });
  const rows = rowsIn(whole).filter((row) => "evaluation/return" in row);
  expect(rows.map((row) => row.step)).toEqual([512, 1024, 1536, 2048]);
  await train({ ...often, directory: parts, callbacks: { onUpdate: (_, c) => c.steps >= 1024 && c.stop() } });
  await resume(parts);
  expect(rowsIn(parts)).toEqual(rowsIn(whole));
  const best = await load(parts, { best: true });
  const top = Math.max(...rows.map((row) => row["evaluation/return"]));
  expect((await best.evaluate(4, { seed: 3 })).mean).toBe(top);
  expect(best.steps).toBe(rows.find((row) => row["evaluation/return"] === top)?.step);
  const { out } = await reins("eval", parts, "--best", "--episodes", "4", "--seed", "3", "--json");
  expect(JSON.parse(out).return.mean).toBe(top);
  // The episodes of the run's seed have chosen the agent, so others measure it by default.
  const others = await best.evaluate(4, { seed: 4 });
  expect((await best.evaluate(4)).returns).toEqual(others.returns);
  const fresh = await reins("eval", parts, "--best", "--episodes", "4", "--json");
  expect(JSON.parse(fresh.out).return.mean).toBe(others.mean);
});

it("saves no best agent without evaluations, and does not evaluate without an acting policy", async () => {
  const directory = join(folder(), "run");
  await train({
    ...options,
    algorithm: dqn({ hidden: [4] }),
    steps: 256,
    evalEpisodes: 0,
    evalEvery: 64,
    directory,
  });
  expect(existsSync(join(directory, "last.agent"))).toBe(true);
  await expect(load(directory, { best: true })).rejects.toThrow("Train with evalEvery (--eval-every)");
});

it("the evaluation interval may change when a run is resumed", async () => {
  const directory = join(folder(), "run");
  const stop = { onUpdate: (_: unknown, c: { stop(): void }) => c.stop() };
  const breaks = {
    onUpdate() {
      throw new Error("cut off");
    },
  };
  await train({ ...options, directory, evalEvery: 512, callbacks: stop });
  await expect(resume(directory, { evalEvery: 256, callbacks: breaks })).rejects.toThrow("cut off");
  const whole = await resume(directory, { evalEpisodes: 2 });
  expect([whole.steps, whole.ended]).toEqual([2048, "finished"]);
});

it("awaits promises of callbacks, and fails with their errors", async () => {
  const directory = join(folder(), "run");
  const order: string[] = [];
  const callbacks = {
    async onUpdate() {
      order.push("begun");
      await new Promise((done) => setTimeout(done, 1));
      order.push("done");
      if (order.length === 6) throw new Error("chat server unreachable");
    },
  };
  await expect(train({ ...options, directory, callbacks })).rejects.toThrow("chat server unreachable");
  expect(order).toEqual(["begun", "done", "begun", "done", "begun", "done"]);
  const onProgress = async () => {
    throw new Error("no receiver");
  };
  await expect(train({ ...options, onProgress })).rejects.toThrow("no receiver");
});

it("a crashed run saves its agent, from which training continues", async () => {
  const directory = join(folder(), "run");
  const callbacks = {
    onStep(_: unknown, { steps }: { steps: number }) {
      if (steps === 256) throw new Error("the cable is loose");
    },
  };
  await expect(train({ ...options, directory, callbacks })).rejects.toThrow("the cable is loose");
  const left = await load(directory);
  expect(left.steps).toBe(256);
  const more = await train({ from: join(directory, "last.agent"), steps: 128, evalEpisodes: 0 });
  expect(more.steps).toBe(128);
});

it("logs only numbers, under names that the run does not use", async () => {
  const log = (name: string, value: unknown) =>
    train({ ...options, callbacks: { onUpdate: (_, c) => c.log(name, value as number) } });
  await expect(log("mine/note", "high")).rejects.toThrow('mine/note is "high"; it must be a number');
  await expect(log("", 1)).rejects.toThrow("Pass a name and a number");
  await expect(log("return/mean", 1)).rejects.toThrow("return/mean is a metric of the run");
  await expect(log("step", 1)).rejects.toThrow("step is a metric of the run");
});
