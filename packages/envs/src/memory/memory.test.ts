import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { Ballet } from "./ballet.ts";
import { DarkRoom, darkRoomActions } from "./dark-room.ts";
import { EndlessTMaze } from "./endless-t-maze.ts";
import { MemoryCorridor } from "./memory-corridor.ts";
import { PairRecall } from "./pair-recall.ts";
import { RepeatCopy } from "./repeat-copy.ts";
import { TMaze } from "./t-maze.ts";

/** Chooses an action from an observation; one with memory is created for each episode. */
type Player = (seen: readonly number[]) => number;

const seenIn = (env: VectorEnv) => [...(env.observation as Tensor).data];

/** Plays episodes of one copy and returns their returns. */
function returnsOf(env: VectorEnv, player: () => Player, episodes: number, see = seenIn): number[] {
  const returns: number[] = [];
  const action = tensor(new Int32Array(1));
  env.reset({ seed: 11 });
  let play = player();
  while (returns.length < episodes) {
    action.data[0] = play(see(env));
    env.step(action);
    if (!env.terminated.data[0] && !env.truncated.data[0]) continue;
    returns.push(env.ended.return[0]);
    play = player();
  }
  return returns;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Every episode has the maximum return. */
function expectAll(returns: readonly number[]) {
  for (const value of returns) expect(value).toBeCloseTo(1, 5);
}

/** Shares of 400 episodes are within 4 standard errors, which fails by chance once in 16,000 times. */
function expectChance(returns: readonly number[], share: number) {
  const deviation = Math.sqrt(mean(returns.map((r) => (r - mean(returns)) ** 2)));
  expect(Math.abs(mean(returns) - share)).toBeLessThan((4 * deviation) / Math.sqrt(returns.length));
}

const [left, right, up, down] = [0, 1, 2, 3];

describe("T-maze", () => {
  test.each([1, 10, 60])("of length %i is solved by remembering the sign", (length) => {
    const passive = () => {
      let sign = 0;
      return ([shown, junction]: readonly number[]) => {
        if (shown) sign = shown;
        return junction ? (sign > 0 ? up : down) : right;
      };
    };
    expectAll(returnsOf(new TMaze({ length }), passive, 50));
    const active = () => {
      let sign = 0;
      return ([shown, junction]: readonly number[]) => {
        if (shown) sign = shown;
        if (sign === 0) return left;
        return junction ? (sign > 0 ? up : down) : right;
      };
    };
    expectAll(returnsOf(new TMaze({ length, active: true }), active, 50));
  });

  test("returns one half without memory", () => {
    expectChance(
      returnsOf(
        new TMaze(),
        () =>
          ([, junction]) =>
            junction ? up : right,
        400,
      ),
      0.5,
    );
  });

  test("shows the sign at its place, and nowhere else", () => {
    const env = new TMaze({ length: 3, active: true });
    env.reset({ seed: 1 });
    expect(seenIn(env)).toEqual([0, 0, 1]);
    env.step(tensor(Int32Array.of(left)));
    expect(Math.abs(seenIn(env)[0])).toBe(1);
    for (const way of [right, right]) env.step(tensor(Int32Array.of(way)));
    expect(seenIn(env)).toEqual([0, 0, 0]);
    // The corridor has no cell above it.
    env.step(tensor(Int32Array.of(up)));
    expect([seenIn(env), env.terminated.data[0]]).toEqual([[0, 0, 0], 0]);
  });
});

describe("endless T-maze", () => {
  const [on, up, down] = [0, 1, 2];
  /** Turns as a sign said: the newest, or the first of all. */
  const keeping = (which: "newest" | "first") => () => {
    let sign = on;
    return ([saysUp, saysDown, along]: readonly number[]) => {
      const read = saysUp ? up : saysDown ? down : on;
      if (read !== on && (which === "newest" || sign === on)) sign = read;
      return along === 1 ? sign : on;
    };
  };

  test("is solved by remembering the newest sign", () => {
    expectAll(returnsOf(new EndlessTMaze(), keeping("newest"), 50));
    expectAll(
      returnsOf(new EndlessTMaze({ corridors: 20, length: 3, uniform: false }), keeping("newest"), 5),
    );
  });

  test("returns one half of all other turns with the first sign, or none", () => {
    expectAll(returnsOf(new EndlessTMaze({ corridors: 1 }), keeping("first"), 50));
    expectChance(returnsOf(new EndlessTMaze(), keeping("first"), 400), (1 + 3 / 2) / 4);
    const guess = () => (seen: readonly number[]) => (seen[2] === 1 ? up : on);
    expectChance(returnsOf(new EndlessTMaze(), guess, 400), 0.5);
  });

  test("samples a length for every corridor, or has one for all", () => {
    const steps = (uniform: boolean) => {
      const env = new EndlessTMaze({ corridors: 2, length: 4, uniform });
      env.reset({ seed: 3 });
      const lengths = new Set<number>();
      const play = keeping("newest")();
      for (let i = 0; i < 200; i++) {
        env.step(tensor(Int32Array.of(play(seenIn(env)))));
        if (env.terminated.data[0]) lengths.add(env.ended.length[0]);
      }
      return [...lengths];
    };
    expect(steps(false)).toEqual([10]);
    expect(steps(true).length).toBeGreaterThan(3);
  });
});

describe("repeat copy", () => {
  const symbols = 4;
  test("is solved by remembering all symbols", () => {
    const player = () => {
      const kept: number[] = [];
      let at = 0;
      return (seen: readonly number[]) => {
        if (seen[symbols + 1]) return kept[at++ % kept.length];
        kept.push(seen.indexOf(1));
        return 0;
      };
    };
    expectAll(returnsOf(new RepeatCopy(), player, 50));
    expectAll(returnsOf(new RepeatCopy({ length: 40, repeats: 3 }), player, 5));
  });

  test("returns one in four without memory", () => {
    expectChance(
      returnsOf(new RepeatCopy(), () => () => 2, 400),
      1 / symbols,
    );
  });
});

describe("pair recall", () => {
  const names = 4;
  const player = () => {
    const kept = new Map<number, number>();
    return (seen: readonly number[]) => {
      const [name, symbol] = [seen.slice(0, names).indexOf(1), seen.slice(names, -1).indexOf(1)];
      if (seen[seen.length - 1]) return kept.get(name)!;
      if (name >= 0) kept.set(name, symbol);
      return 0;
    };
  };
  test("is solved by remembering the symbol of each name, however many distractors", () => {
    expectAll(returnsOf(new PairRecall(), player, 50));
    expectAll(returnsOf(new PairRecall({ pairs: 4, symbols: 6, fewest: 20, most: 30 }), player, 10));
  });

  test("returns one in three without memory", () => {
    expectChance(
      returnsOf(new PairRecall(), () => () => 1, 400),
      1 / 3,
    );
  });

  test("has a name for each pair, and at least the fewest steps", () => {
    expect(() => new PairRecall({ pairs: 5 })).toThrow("5 pairs need as many names");
    expect(() => new PairRecall({ fewest: 4 })).toThrow("more than most");
    const env = new PairRecall({ fewest: 2, most: 2 });
    returnsOf(env, player, 3);
    expect(env.ended.length[0]).toBe(10);
  });
});

describe("memory corridor", () => {
  const doors = 3;
  test("is solved by remembering every door", () => {
    const player = () => {
      const known = new Map<number, number>();
      return (seen: readonly number[]) => {
        const lit = seen.slice(0, doors).indexOf(1);
        if (lit >= 0) known.set(seen[doors], lit);
        return known.get(seen[doors]) ?? 0;
      };
    };
    expectAll(returnsOf(new MemoryCorridor(), player, 50));
    expectAll(returnsOf(new MemoryCorridor({ rounds: 12 }), player, 10));
  });

  test("returns memorylessReturn without memory", () => {
    const env = new MemoryCorridor();
    expect(env.memorylessReturn).toBeCloseTo(0.252, 3);
    const player = () => (seen: readonly number[]) => Math.max(0, seen.slice(0, doors).indexOf(1));
    expectChance(returnsOf(env, player, 400), env.memorylessReturn);
  });
});

describe("ballet", () => {
  const side = 9;
  /** The cells of the dancers, then the requested dance. */
  const see = (env: VectorEnv) => {
    const { stage, asked } = env.observation as Record<string, Tensor>;
    const cells = Array.from({ length: side * side }, (_, i) => i).filter((i) => stage.data[2 * i + 1]);
    return [...cells, asked.data[0]];
  };
  /** Positions of dancers, in the order of the moves. */
  const homes = [13, 16, 43, 70, 67, 64, 37, 10];

  test.each([2, 4, 8])("of %i is solved by remembering every dance", (dancers) => {
    const player = () => {
      // The cells of the dancer at each home, in order.
      const seen = homes.map((): string[] => []);
      return (now: readonly number[]) => {
        const asked = now[now.length - 1];
        if (asked) return 1 + seen.findIndex((steps) => steps.join("").includes(dances[asked - 1]));
        homes.forEach((home, i) => {
          const cell = now.slice(0, -1).find((c) => near(c, home));
          if (cell !== undefined) seen[i].push(digitOf(cell, home));
        });
        return 0;
      };
    };
    expectAll(returnsOf(new Ballet({ dancers }), player, 20, see));
  });

  test("returns one in four without memory", () => {
    const player = () => (now: readonly number[]) =>
      1 + homes.findIndex((home) => now.slice(0, -1).includes(home));
    expectChance(returnsOf(new Ballet(), player, 400, see), 1 / 4);
  });

  test("has room for eight", () => {
    expect(() => new Ballet({ dancers: 9 })).toThrow("Ballet-v0: dancers is 9. Use 2 to 8.");
  });

  const near = (a: number, b: number) =>
    Math.abs((a % side) - (b % side)) <= 1 && Math.abs(Math.floor(a / side) - Math.floor(b / side)) <= 1;
  const digitOf = (cell: number, home: number) =>
    String((Math.floor(cell / side) - Math.floor(home / side)) * 3 + (cell % side) - (home % side) + 5);
  const dances = [
    "12369874",
    "47896321",
    "25852585",
    "45654565",
    "15951595",
    "35753575",
    "52545658",
    "13971397",
  ];
});

describe("dark rooms", () => {
  const { stay, left, right, up, down } = darkRoomActions;
  const size = 9;
  const towards = (from: number, to: number) => {
    const [dx, dy] = [(to % size) - (from % size), Math.floor(to / size) - Math.floor(from / size)];
    if (dx) return dx < 0 ? left : right;
    return dy ? (dy < 0 ? up : down) : stay;
  };
  const cellOf = ([x, y]: readonly number[]) =>
    Math.round(y * (size - 1)) * size + Math.round(x * (size - 1));
  const distance = (a: number, b: number) =>
    Math.abs((a % size) - (b % size)) + Math.abs(Math.floor(a / size) - Math.floor(b / size));

  /** Goes to where it found a reward, and otherwise to the nearest unvisited cell. */
  const searcher = (keyed: boolean) => () => {
    const unseen = [new Set(Array(size * size).keys()), new Set(Array(size * size).keys())];
    const found = [-1, -1];
    let before = 0;
    return (seen: readonly number[]) => {
      const here = cellOf(seen);
      const starts = seen[3] === 1;
      const stage = keyed && seen[4] ? 1 : 0;
      // The target of the previous step.
      const looked = starts ? stage : before;
      if (seen[2] && !starts) found[looked] = here;
      if (!starts) unseen[looked].delete(here);
      before = stage;
      if (found[stage] >= 0) return towards(here, found[stage]);
      const next = [...unseen[stage]].sort((a, b) => distance(here, a) - distance(here, b))[0];
      return towards(here, next ?? here);
    };
  };

  /** The return of each trial. */
  function trialsOf(env: DarkRoom, player: () => Player, seed: number, trials: number, steps: number) {
    env.reset({ seed });
    const play = player();
    const paid = Array<number>(trials).fill(0);
    for (let t = 0; t < trials * steps; t++) {
      env.step(tensor(Int32Array.of(play(seenIn(env)))));
      paid[Math.floor(t / steps)] += env.reward.data[0];
    }
    return paid;
  }

  test("searching with memory ends as well as knowing the goal", () => {
    for (let seed = 0; seed < 20; seed++) {
      const env = new DarkRoom();
      env.reset({ seed });
      const known = env.knownReturn(0);
      expect([seed, trialsOf(env, searcher(false), seed, 10, 20)[9]]).toEqual([seed, known]);
    }
  });

  test("searching with memory finds the key and then the door", () => {
    let both = 0;
    for (let seed = 0; seed < 20; seed++)
      both += trialsOf(new DarkRoom({ keyed: true }), searcher(true), seed, 10, 50)[9] === 2 ? 1 : 0;
    expect(both).toBe(20);
  });

  test("without memory the last trial is as the first", () => {
    const dice = defaultRng(3);
    const player = () => (seen: readonly number[]) => (seen[2] ? stay : dice.integers(5));
    const paid = Array.from({ length: 300 }, (_, seed) => trialsOf(new DarkRoom(), player, seed, 10, 20));
    expectChance(
      paid.map((trials) => trials[9] - trials[0]),
      0,
    );
    // Of 14 or more that are possible.
    expect(mean(paid.map((trials) => trials[9]))).toBeLessThan(5);
  });
});
