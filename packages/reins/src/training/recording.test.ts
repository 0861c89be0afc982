import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import { box, type Env } from "@reins/core";
import { RunDirectory } from "@reins/core/directory";
import { evaluate } from "@reins/core/evaluations";
import { makeSingle } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { resume } from "../load.ts";
import { framesOf } from "../pictures/episode-film.ts";
import { renderEpisode } from "../pictures/picture.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const algorithm = () => ppo({ envs: 2, steps: 32, minibatches: 2, hidden: [4] });
const training = (more: object = {}) => {
  const directory = join(folder(), "run");
  const options = { algorithm: algorithm(), env: "CartPole-v1", steps: 640, evalEpisodes: 3, directory };
  return train({ ...options, ...more });
};
const episodesOf = (path: string) => RunDirectory.open(path).episodes();
/** All files recorded by a run, byte for byte. */
const files = (path: string) =>
  readdirSync(join(path, "episodes")).map((name) => readFileSync(join(path, "episodes", name), "utf8"));

it("records an episode at evaluations, a few times and at the end", async () => {
  const { directory, run, return: measured } = await training({ evalEvery: 64 });
  const found = episodesOf(directory!);
  expect(found.map(({ steps }) => steps)).toEqual([64, 128, 192, 256, 320, 384, 448, 512, 576, 640]);
  const last = found.at(-1)!;
  const { columns, role, terminated, info } = last.load();
  expect([role, terminated]).toEqual(["greedy", true]);
  expect((columns.action as Tensor).shape).toEqual([last.length]);
  expect(last.return).toEqual([last.length]);
  const { frames, every } = framesOf(last.load())!;
  expect([frames.length, every]).toEqual([last.length, 1]);
  expect(frames[0]).toEqual({ text: expect.stringContaining("\n"), drawing: expect.any(Object) });
  expect(Object.keys(info!)).toEqual(["every", "frames", "labels"]);
  // Observations and their labels are recorded although the environment has a rendering.
  expect((columns.observation as Tensor).shape).toEqual([last.length, 4]);
  expect(info!.labels).toEqual({
    observation: ["cart position", "cart velocity", "pole angle", "pole velocity"],
    action: ["left", "right"],
  });
  // It is the first episode of the evaluation.
  const again = evaluate(run, undefined, { episodes: 3, seed: run.options.seed });
  expect([again.returns[0], again.mean]).toEqual([last.return[0], measured.mean]);
}, 60_000);

it("recording does not affect the run", async () => {
  const kept = await training({ evalEvery: 128 });
  const not = await training({ evalEvery: 128, directory: false });
  expect(kept.run.metrics).toEqual(not.run.metrics);
  expect(kept.return).toEqual(not.return);
}, 60_000);

it("a stopped and resumed run records the same episodes", async () => {
  const whole = await training({ evalEvery: 90 });
  const directory = join(folder(), "run");
  const stopped = await training({
    directory,
    evalEvery: 90,
    callbacks: {
      onUpdate: (_: object, control: { steps: number; stop(): void }) =>
        control.steps >= 320 && control.stop(),
    },
  });
  expect(stopped.ended).toBe("stopped");
  await resume(directory);
  expect(files(directory)).toEqual(files(whole.directory!));
}, 60_000);

it("a long episode has fewer frames and a bounded file size", async () => {
  const env = "MountainCar-v0";
  const { directory } = await training({ env, envOptions: { maxSteps: 1000 }, steps: 64, evalEpisodes: 1 });
  const [{ length, path, load }] = episodesOf(directory!);
  expect(length).toBe(1000);
  const { frames, every } = framesOf(load())!;
  expect(every).toBeGreaterThan(4);
  expect(frames.length).toBe(Math.ceil(1000 / every));
  expect(readFileSync(path).length).toBeLessThan(300_000);
}, 60_000);

it("records observations without a rendering; the summary notes large observations and failed renderings", async () => {
  const bare = (): Env => {
    const { spec, reset, step } = makeSingle("CartPole-v1");
    const inner = makeSingle("CartPole-v1");
    return { spec, reset: reset.bind(inner), step: step.bind(inner) };
  };
  const summary = (path: string) => JSON.parse(readFileSync(join(path, "summary.json"), "utf8"));
  const { directory } = await training({ env: bare, evalEvery: 128 });
  const [recorded] = episodesOf(directory!);
  const { columns, ...rest } = recorded.load();
  const seen = columns.observation as Tensor;
  expect(seen.shape).toEqual([recorded.length, 4]);
  expect(framesOf({ columns, ...rest })).toBeUndefined();
  const [x, speed] = seen.data;
  expect(seen.data[4]).toBeCloseTo(x + 0.02 * speed, 6);
  expect((await reins("watch", directory!, "--recorded")).out).toContain("(no rendering; reins studio");
  const large = (): Env => {
    const { spec, reset, step } = bare();
    const wide = { ...spec, observation: box([129], -10, 10) };
    const padded = <T extends { observation: unknown }>(from: T) => ({
      ...from,
      observation: [...(from.observation as number[]), ...new Array(125).fill(0)],
    });
    return { spec: wide, reset: (o) => padded(reset(o)), step: (a) => padded(step(a)) };
  };
  const much = await training({ env: large });
  expect(existsSync(join(much.directory!, "episodes"))).toBe(false);
  expect(summary(much.directory!).notes).toEqual([
    "No episode was recorded: CartPole-v1: it has neither picture() nor render(), and its observations have more than 128 numbers",
  ]);
  const broken = (): Env => ({
    ...bare(),
    render: () => {
      throw new Error("no ink");
    },
  });
  const failing = await training({ env: broken });
  expect(summary(failing.directory!).notes).toEqual(["No episode was recorded: CartPole-v1: no ink"]);
}, 60_000);

it("shows a recording and writes it as an image, without playing, on the command line and in code", async () => {
  const { directory } = await training({ evalEvery: 320 });
  const path = directory!;
  const shown = await reins("watch", path, "--recorded");
  expect([shown.code, shown.err]).toEqual([0, ""]);
  expect(shown.out).toMatch(/after 320 steps of training: return (.|\n)*after 640 steps of training: return/);
  const one = await reins("watch", path, "--recorded", "--at", "400");
  expect(one.out).toContain("after 320 steps");
  expect(one.out).not.toContain("after 640 steps");
  const file = join(folder(), "episode.gif");
  const saved = await reins("watch", path, "--recorded", "--save", file);
  expect([saved.code, saved.err]).toEqual([0, ""]);
  expect(readFileSync(file).subarray(0, 3).toString()).toBe("GIF");
  const bytes = await renderEpisode(episodesOf(path).at(-1)!.load());
  expect([...bytes]).toEqual([...readFileSync(file)]);
  await expect(renderEpisode(episodesOf(path)[0].load(), { seed: 1 })).rejects.toThrow(
    "seed is for episodes that are played",
  );
  expect((await reins("watch", path, "--at", "10")).err).toContain(
    "the first episode was recorded at step 320",
  );
  expect((await reins("watch", path, "--recorded", "--best")).err).toContain(
    "--best does not apply to recorded episodes",
  );
  const none = join(folder(), "none");
  mkdirSync(none);
  writeFileSync(join(none, "config.json"), readFileSync(join(path, "config.json")));
  expect((await reins("watch", none, "--recorded")).err).toContain("no episode was recorded");
}, 60_000);

it("records the value and action probabilities of each step", async () => {
  const { directory, run } = await training();
  const { columns } = episodesOf(directory!).at(-1)!.load();
  const { value, probabilities, action } = columns as Record<string, Tensor>;
  const steps = action.shape[0];
  expect([value.shape, probabilities.shape]).toEqual([[steps], [steps, 2]]);
  for (let i = 0; i < steps; i++) {
    const [left, right] = [probabilities.data[2 * i], probabilities.data[2 * i + 1]];
    expect(left + right).toBeCloseTo(1, 5);
    // It takes the more likely action.
    expect(action.data[i]).toBe(right > left ? 1 : 0);
  }
  expect(value.data.every(Number.isFinite)).toBe(true);
  expect(run.process.acting!.policy.value).toBeDefined();
});
