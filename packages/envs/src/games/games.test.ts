import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv } from "../check/check-env.ts";
import { showFinding } from "../check/finding.ts";
import { make } from "../registry.ts";
import { canPush, pushBoard } from "./game-2048.ts";
import { tetrominoes } from "./tetrominoes.ts";

const act = (...actions: number[]) => tensor(Int32Array.from(actions));

/** Plays episodes in one row with allowed actions, and returns their returns. */
function randomReturns(env: VectorEnv, episodes: number): number[] {
  const random = defaultRng(7);
  const returns: number[] = [];
  env.reset({ seed: 3 });
  while (returns.length < episodes) {
    env.step(act(sampleValue(env.spec.action, random, (env.mask as Tensor).data) as number));
    if (env.ended.length[0] > 0) returns.push(env.ended.return[0]);
  }
  return returns;
}
const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test.each([
  ["Game2048-v0", { reward: "log" }],
  ["Snake-v0", { size: 4 }],
  ["Tetris-v0", { bag: false }],
  ["Catch-v0", { width: 5, margin: 1, colors: "mixed", hint: 0.5 }],
] as const)(
  "%s with %j has no findings, as a vector environment and after save and restore",
  (id, options) => {
    const findings = checkEnv(() => make(id, { rows: 2, ...options }), { seeds: [0], steps: 120 });
    expect(findings.map(showFinding)).toEqual([]);
  },
);

test.each(["Game2048-v0", "Snake-v0", "Tetris-v0", "ConnectFour-v0"] as const)(
  "a seed of %s determines its episodes, and another gives others",
  (id) => {
    const played = (seed: number) => {
      const env = make(id);
      env.reset({ seed });
      const random = defaultRng(1);
      return Array.from({ length: 60 }, () => {
        env.step(act(sampleValue(env.spec.action, random, (env.mask as Tensor).data) as number));
        return [env.render!(0), env.reward.data[0], [...(env.mask as Tensor).data]];
      });
    };
    expect(played(5)).toEqual(played(5));
    expect(played(5)).not.toEqual(played(6));
  },
);

describe("2048", () => {
  const board = (...tiles: number[]) => Uint8Array.from(tiles);
  const empty = [0, 0, 0, 0];

  test("a tile merges once, those nearest to the wall first", () => {
    const cells = board(1, 1, 1, 0, 1, 1, 1, 1, 2, 1, 1, 0, 1, 0, 0, 1);
    expect(pushBoard(cells, 0, 3)).toBe(4 + 4 + 4 + 4 + 4);
    expect([...cells]).toEqual([2, 1, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0]);
  });

  test("all four directions push to their walls", () => {
    const pushed = (way: number) => {
      const cells = board(...empty, 0, 1, 0, 0, 0, 1, 0, 0, ...empty);
      const gain = pushBoard(cells, 0, way, true);
      return [gain, ...[...cells].flatMap((tile, at) => (tile ? [at, tile] : []))];
    };
    expect(pushed(0)).toEqual([2, 1, 2]);
    expect(pushed(1)).toEqual([0, 7, 1, 11, 1]);
    expect(pushed(2)).toEqual([2, 13, 2]);
    expect(pushed(3)).toEqual([0, 4, 1, 8, 1]);
  });

  test("the mask allows the pushes with an effect", () => {
    const random = defaultRng(2);
    for (let n = 0; n < 300; n++) {
      const cells = Uint8Array.from({ length: 16 }, () => random.integers(0, 4));
      for (let way = 0; way < 4; way++) {
        const after = cells.slice();
        pushBoard(after, 0, way);
        expect(canPush(cells, 0, way)).toBe(after.join() !== cells.join());
      }
    }
  });

  test("a push without effect adds no tile", () => {
    const env = make("Game2048-v0");
    env.reset({ seed: 1 });
    for (let t = 0; t < 40; t++) {
      const before = [...(env.observation as Tensor).data];
      const way = [...(env.mask as Tensor).data].indexOf(0);
      env.step(act(way < 0 ? t % 4 : way));
      if (way < 0) continue;
      expect([...(env.observation as Tensor).data]).toEqual(before);
      expect(env.reward.data[0]).toBe(0);
    }
  });

  test("a random player scores about 1100 points, as published", () => {
    const score = mean(randomReturns(make("Game2048-v0"), 100));
    expect(score).toBeGreaterThan(900);
    expect(score).toBeLessThan(1300);
  });
});

describe("Snake", () => {
  test("walls end the game, turning back goes straight, and the mask excludes it", () => {
    const env = make("Snake-v0", { size: 6 });
    env.reset({ seed: 1 });
    expect([...(env.mask as Tensor).data]).toEqual([1, 1, 1, 0]);
    const headAt = () =>
      [...(env.observation as Tensor).data].flatMap((v, i) => (i % 3 || !v ? [] : [i / 3]));
    expect(headAt()).toEqual([21]);
    env.step(act(3));
    expect(headAt()).toEqual([22]);
    env.step(act(1));
    env.step(act(1));
    expect([env.reward.data[0], env.terminated.data[0]]).toEqual([-1, 1]);
  });

  test("a snake that visits every cell in turn fills the board", () => {
    const side = 4;
    const env = make("Snake-v0", { size: side, maxSteps: 1000 });
    env.reset({ seed: 2 });
    // Around the board: along the top to the right, down and up the columns below it back to the left.
    const way = (cell: number) => {
      const [x, y] = [cell % side, Math.floor(cell / side)];
      if (y === 0) return x === side - 1 ? 2 : 1;
      const down = (side - 1 - x) % 2 === 0;
      if (down) return y === side - 1 ? 3 : 2;
      return y === 1 && x > 0 ? 3 : 0;
    };
    // The body lies behind the head, so that going up is possible first.
    env.step(act(0));
    let bites = env.reward.data[0];
    for (let t = 0; t < 600 && !env.terminated.data[0]; t++) {
      const data = [...(env.observation as Tensor).data];
      env.step(act(way(data.findIndex((v, i) => i % 3 === 0 && v === 255) / 3)));
      bites += env.reward.data[0];
    }
    expect(env.terminated.data[0]).toBe(1);
    expect(bites).toBe(side * side - 3);
  });

  test("a random player finds food occasionally", () => {
    const score = mean(randomReturns(make("Snake-v0"), 200));
    expect(score).toBeGreaterThan(-1);
    expect(score).toBeLessThan(1);
  });
});

describe("Tetris", () => {
  type Seen = { board: Tensor; piece: Tensor; next: Tensor };
  const seenBy = (env: VectorEnv) => env.observation as Seen;

  test("pieces have one, two or four rotations of four cells", () => {
    expect(tetrominoes.map(({ letter, lying }) => letter + lying.length).join(" ")).toBe(
      "I2 O1 T4 S2 Z2 J4 L4",
    );
    for (const { lying } of tetrominoes)
      for (const { lines } of lying)
        expect(lines.map((bits) => bits.toString(2).replaceAll("0", "").length).reduce((a, b) => a + b)).toBe(
          4,
        );
  });

  test("in an empty well the mask has every rotation in every column where it fits", () => {
    const env = make("Tetris-v0");
    for (let seed = 0; seed < 20; seed++) {
      env.reset({ seed });
      const { lying } = tetrominoes[seenBy(env).piece.data[0]];
      const legal = Array.from({ length: 40 }, (_, a) => {
        const form = lying[Math.floor(a / 10)];
        return form && (a % 10) + form.width <= 10 ? 1 : 0;
      });
      expect([...(env.mask as Tensor).data]).toEqual(legal);
    }
  });

  test("a bag has each piece once", () => {
    const env = make("Tetris-v0");
    env.reset({ seed: 4 });
    const came: number[] = [];
    for (let n = 0; n < 7; n++) {
      came.push(seenBy(env).piece.data[0]);
      env.step(act([...(env.mask as Tensor).data].indexOf(1)));
    }
    expect(came.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("a greedy player clears rows, with reward 1 each", () => {
    const env = make("Tetris-v0", { maxSteps: 60 });
    env.reset({ seed: 1 });
    const cells = () => [...seenBy(env).board.data].filter((v) => v > 0).length;
    let lines = 0;
    for (let t = 0; t < 59; t++) {
      const saved = env.save();
      const mask = [...(env.mask as Tensor).data];
      const before = cells();
      let best = { action: -1, price: Number.POSITIVE_INFINITY };
      for (let action = 0; action < 40; action++) {
        if (!mask[action]) continue;
        env.step(act(action));
        const price = env.terminated.data[0] ? 1e6 : priceOf(seenBy(env).board.data) - env.reward.data[0];
        if (price < best.price) best = { action, price };
        env.restore(saved);
      }
      env.step(act(best.action));
      expect(cells()).toBe(before + 4 - 10 * env.reward.data[0]);
      lines += env.reward.data[0];
    }
    expect(lines).toBeGreaterThan(15);
  });

  test("a random player fills the well after some twenty pieces with hardly a row", () => {
    const env = make("Tetris-v0");
    const score = mean(randomReturns(env, 100));
    expect(score).toBeLessThan(1);
    expect(score).toBeGreaterThanOrEqual(0);
  });
});

/** Holes and uneven columns, which careful players avoid. */
function priceOf(board: ArrayLike<number>): number {
  let price = 0;
  let last = -1;
  for (let x = 0; x < 10; x++) {
    let top = 20;
    for (let y = 19; y >= 0; y--) if (board[y * 10 + x]) top = y;
    for (let y = top; y < 20; y++) if (!board[y * 10 + x]) price += 4;
    if (last >= 0) price += Math.abs(last - top) * 0.5;
    price += (20 - top) * 0.5;
    last = top;
  }
  return price;
}

describe("Catch", () => {
  /** Plays an episode that follows the ball, and returns its reward. */
  const follow = (env: VectorEnv) => {
    for (let paid = 0; ; ) {
      const lines = env.render!(0).split("\n");
      const [ball, paddle] = [lines.join("").indexOf("o") % 8, lines[7].indexOf("▂")];
      env.step(act(Math.sign(ball - paddle) + 1));
      paid += env.reward.data[0];
      if (env.ended.length[0] > 0) return paid;
    }
  };

  test("following the ball catches every one, and standing still one in eight", () => {
    const env = make("Catch-v0");
    env.reset({ seed: 1 });
    expect(mean(Array.from({ length: 50 }, () => follow(env)))).toBe(1);
    env.reset({ seed: 1 });
    const returns: number[] = [];
    while (returns.length < 400) {
      env.step(act(1));
      if (env.ended.length[0] > 0) returns.push(env.ended.return[0]);
    }
    expect(mean(returns)).toBeGreaterThan(-0.85);
    expect(mean(returns)).toBeLessThan(-0.65);
  });

  test("colors are those of the palette, and reveal the ball's column as configured", () => {
    const first = (options: object) => {
      const env = make("Catch-v0", { rows: 64, ...options });
      env.reset({ seed: 0 });
      const pixels = env.observation as Tensor;
      const white = (row: number) =>
        Array.from({ length: 8 }, (_, x) => pixels.data[(row * 64 + x) * 3 + 1] === 255).indexOf(true);
      return Array.from({ length: 64 }, (_, row) => ({
        color: [...pixels.data.slice(row * 192 + 24, row * 192 + 27)].join(),
        column: white(row),
      }));
    };
    const hinted = first({ colors: "pure", hint: 1 });
    for (const { color, column } of hinted)
      for (const other of hinted) if (other.column === column) expect(other.color).toBe(color);
    expect(new Set(hinted.map((t) => t.color))).toEqual(
      new Set(["160,0,0", "160,160,0", "0,160,0", "0,160,160", "0,0,160", "160,0,160"]),
    );
    const mixed = new Set(first({ colors: "mixed" }).map((t) => t.color));
    expect(mixed.size).toBe(6);
    expect(hinted.some((t) => mixed.has(t.color))).toBe(false);
    expect(new Set(first({}).map((t) => t.color))).toEqual(new Set(["0,0,0"]));
    expect(() => make("Catch-v0", { hint: 0.5 })).toThrow(/needs colored backgrounds/);
  });
});
