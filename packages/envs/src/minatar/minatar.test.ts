import { readFileSync } from "node:fs";
import { defaultRng } from "@reins/core/random";
import { cast, compile, sum, type Tensor, tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { make } from "../registry.ts";

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));

/** Episodes that `fixtures/minatar_games.py` played in MinAtar's own program, with our generator. */
interface Played {
  readonly seed: number;
  readonly actions: readonly number[];
  readonly screens: readonly number[];
  readonly rewards: readonly number[];
  readonly ends: readonly number[];
}
const played: Record<string, readonly Played[]> = read("../../fixtures/minatar.json");
/** Scores of a random player there. */
const random: Record<string, RandomPlayer> = read("../../../../fixtures/gymnasium/minatar.json");
interface RandomPlayer {
  readonly episodes: number;
  readonly state_shape: readonly number[];
  readonly minimal_actions: readonly number[];
  readonly return: { readonly mean: number; readonly std: number };
  readonly length: { readonly mean: number; readonly std: number };
}

const games = [
  ["asterix", "MinAtar/Asterix"],
  ["breakout", "MinAtar/Breakout"],
  ["freeway", "MinAtar/Freeway"],
  ["seaquest", "MinAtar/Seaquest"],
  ["space_invaders", "MinAtar/SpaceInvaders"],
] as const;

/** The checksum of a screen, as in the fixture. */
function checksum(screen: ArrayLike<number>): number {
  let value = 0;
  for (let i = 0; i < screen.length; i++) if (screen[i]) value = (value * 31 + i + 1) % 999983;
  return value;
}

test.each(games)("%s plays the original's episodes, screen by screen", (name, id) => {
  for (const { seed, actions, screens, rewards, ends } of played[name]) {
    const env = make(`${id}-v0`);
    env.reset({ seed });
    const bytes = (env.observation as Tensor).data;
    const seen = [checksum(bytes)];
    const earned: number[] = [];
    const over: number[] = [];
    actions.forEach((action, t) => {
      env.step(tensor(Int32Array.of(action)));
      seen.push(checksum(bytes));
      earned.push(env.reward.data[0]);
      if (env.terminated.data[0]) over.push(t);
    });
    expect([seed, seen.findIndex((s, t) => s !== screens[t])]).toEqual([seed, -1]);
    expect(earned).toEqual(rewards);
    expect(over).toEqual(ends);
  }
});

test.each(games)("%s has the original's screens and actions", (name, id) => {
  const { observation, action } = make(`${id}-v1`).spec;
  const [height, width, channels] = random[name].state_shape;
  expect(observation).toEqual({ kind: "image", height, width, channels });
  expect(action).toEqual({ kind: "discrete", n: random[name].minimal_actions.length, start: 0 });
  expect(make(`${id}-v0`).spec.action).toEqual({ kind: "discrete", n: 6, start: 0 });
});

test("screens stay valid where compiled code reads them", () => {
  const env = make("MinAtar/Breakout-v1", { sticky: 0 });
  // Bound columns have their memory elsewhere from then on.
  const bytes = compile((screen: Tensor) => sum(cast(screen, "f32"))).bind(env.observation as Tensor);
  const set = () => {
    bytes.run();
    return bytes.result.item() / 255;
  };
  env.reset({ seed: 1 });
  // 30 bricks, the paddle, the ball and its trail; the ball meets no brick before it has fallen.
  expect(set()).toBe(33);
  const seen = new Set<string>();
  for (let t = 0; t < 5; t++) {
    env.step(tensor(Int32Array.of(0)));
    expect(set()).toBe(33);
    seen.add((env.observation as Tensor).data.join());
  }
  expect(seen.size).toBe(5);
});

/** Mean and squared standard error of the returns and lengths of some episodes of a random player. */
function playRandomly(id: string, episodes: number) {
  const rows = 128;
  const env = make(id, { rows });
  const choices = env.spec.action.kind === "discrete" ? env.spec.action.n : 0;
  const dice = defaultRng(77);
  const action = tensor(new Int32Array(rows));
  const returns: number[] = [];
  const lengths: number[] = [];
  // Equally many of each row, so that short episodes are not over-represented.
  const left = new Int32Array(rows).fill(episodes / rows);
  env.reset({ seed: 5 });
  while (returns.length < episodes) {
    for (let row = 0; row < rows; row++) action.data[row] = dice.integers(choices);
    env.step(action);
    for (let row = 0; row < rows; row++)
      if (env.terminated.data[row] && left[row]-- > 0) {
        returns.push(env.ended.return[row]);
        lengths.push(env.ended.length[row]);
      }
  }
  return { return: spread(returns), length: spread(lengths) };
}

function spread(values: readonly number[]) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, std: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) };
}

// 4 standard errors: games with equal means would fail with a probability of 6e-5, any of the ten numbers with
// 6e-4.
test.each(games)("%s gives a random player the original's scores", (name, id) => {
  const theirs = random[name];
  const episodes = name === "freeway" ? 256 : 2048;
  const ours = playRandomly(`${id}-v0`, episodes);
  for (const what of ["return", "length"] as const) {
    const [a, b] = [ours[what], theirs[what]];
    const error = Math.sqrt(a.std ** 2 / episodes + b.std ** 2 / theirs.episodes);
    expect([what, Math.abs(a.mean - b.mean) <= 4 * error]).toEqual([what, true]);
  }
});
