import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { EnvSpec, ResetOptions } from "../env.ts";
import type { Snapshot } from "../snapshot.ts";
import { box, discrete, type Value } from "../space.ts";
import { type MultiEnv, type MultiStep, vectoriseMulti } from "./multi.ts";
import { i32 } from "./testing.ts";

/**
 * Agents in a room: whoever does 0 leaves with a reward of 1, and comes back two steps later. The game is over after `limit` steps.
 * Each sees [own slot, time]; the state is who is there.
 */
class Room implements MultiEnv {
  readonly spec: EnvSpec;
  readonly stateSpace = box([3]);
  time = 0;
  away = [0, 0, 0];
  started = 0;
  private readonly limit: number;

  constructor(limit = 6, spec: Partial<EnvSpec> = {}) {
    this.limit = limit;
    const agents = { names: ["a", "b", "c"], order: "parallel" } as const;
    this.spec = { id: "Room-v0", observation: box([2]), action: discrete(2), agents, ...spec };
  }

  reset({ seed }: ResetOptions = {}) {
    this.time = 0;
    // The third agent comes later.
    this.away = [0, 0, 2];
    this.started = seed ?? this.started + 100;
    return this.look([0, 1, 2]);
  }

  step(actions: readonly (Value | null)[]): MultiStep {
    this.time++;
    const left = actions.map((action) => action === 0);
    const present = this.away.map((n) => n === 0);
    this.away = this.away.map((n, i) => (left[i] ? 2 : Math.max(0, n - 1)));
    return {
      ...this.look(present.map((there, i) => (there ? i : -1))),
      rewards: left.map((x) => (x ? 1 : 0.5)),
      terminated: left,
      truncated: [false, false, false],
      over: this.time >= this.limit,
    };
  }

  /** Those who were there see something, also when they leave; those who arrive do. */
  private look(slots: number[]) {
    const observations = this.away.map((n, i) =>
      n === 0 || (this.time > 0 && slots.includes(i)) ? [i, this.time] : null,
    );
    return { observations };
  }

  state(): Value {
    return this.away.map((n) => (n === 0 ? 1 : 0));
  }

  save(): Snapshot {
    return [this.time, this.started, ...this.away];
  }

  restore(from: Snapshot): void {
    [this.time, this.started, ...this.away] = from as number[];
  }
}

const flags = (t: Tensor) => [...t.data].join("");

describe("several agents at once", () => {
  it("has rows for each slot, and agents that come and go", () => {
    const vector = vectoriseMulti(() => new Room(), 2);
    expect(vector.rows).toBe(6);
    vector.reset({ seed: 7 });
    expect(flags(vector.alive!)).toBe("110110");
    // Agent b of copy 0 leaves.
    vector.step(i32(1, 0, 1, 1, 1, 1));
    expect([flags(vector.terminated), flags(vector.alive!)]).toEqual(["010000", "100110"]);
    expect([...vector.reward.data]).toEqual([0.5, 1, 0, 0.5, 0.5, 0]);
    expect([vector.ended.return[1], vector.ended.length[1]]).toEqual([1, 1]);
    expect((vector.final as Tensor).toArray()).toContainEqual([1, 1]);
    // Agent c arrives in both copies: it has seen something, and gets no reward for what it did not do.
    vector.step(i32(1, 1, 1, 1, 1, 1));
    expect([flags(vector.terminated), flags(vector.alive!)]).toEqual(["000000", "101111"]);
    expect([...vector.reward.data]).toEqual([0.5, 0, 0, 0.5, 0.5, 0]);
    expect(((vector.observation as Tensor).toArray() as number[][])[2]).toEqual([2, 2]);
    expect((vector.state as Tensor).toArray()).toEqual(
      [1, 1, 1].map(() => [1, 0, 1]).concat([1, 1, 1].map(() => [1, 1, 1])),
    );
    // And b comes back.
    vector.step(i32(1, 1, 1, 1, 1, 1));
    expect(flags(vector.alive!)).toBe("111111");
    expect([...vector.reward.data]).toEqual([0.5, 0, 0.5, 0.5, 0.5, 0.5]);
  });

  it("ends all that are there when the game is over, and begins it anew in the same step", () => {
    const vector = vectoriseMulti(() => new Room(3), 1);
    vector.reset();
    vector.step(i32(1, 1, 1));
    vector.step(i32(1, 0, 1));
    vector.step(i32(1, 1, 1));
    expect([flags(vector.terminated), flags(vector.truncated)]).toEqual(["101", "000"]);
    expect([...vector.ended.length]).toEqual([3, 0, 1]);
    expect([...vector.ended.return]).toEqual([1.5, 0, 0.5]);
    expect(flags(vector.alive!)).toBe("110");
    expect(((vector.observation as Tensor).toArray() as number[][]).slice(0, 2)).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it("truncates all at the limit of steps", () => {
    const vector = vectoriseMulti(() => new Room(9, { maxSteps: 2 }), 1);
    vector.reset();
    vector.step(i32(1, 1, 1));
    vector.step(i32(1, 0, 1));
    expect([flags(vector.terminated), flags(vector.truncated)]).toEqual(["010", "100"]);
    expect(flags(vector.alive!)).toBe("110");
  });

  it("resumes exactly", () => {
    const vector = vectoriseMulti(() => new Room(), 2);
    const play = (from: number, steps: number) =>
      Array.from({ length: steps }, (_, t) => {
        vector.step(
          i32(...Array.from({ length: 6 }, (_, i) => (((from + t) * 5 + i * 3) % 7 === 0 ? 0 : 1))),
        );
        const { observation, reward, terminated, truncated, alive, state, ended } = vector;
        const columns = [observation, reward, terminated, truncated, alive, state] as Tensor[];
        return [columns.map((c) => [...c.data]), [...ended.return], [...ended.length]];
      });
    vector.reset({ seed: 1 });
    play(0, 9);
    const saved = vector.save();
    const on = play(9, 30);
    vector.restore(saved);
    expect(play(9, 30)).toEqual(on);
    const other = vectoriseMulti(() => new Room(), 2);
    other.restore(saved);
    expect(flags(other.alive!).length).toBe(6);
  });
});

/** Two players add 1 or 2 in turn; who says 6 or more wins. */
class Count implements MultiEnv {
  readonly spec: EnvSpec = {
    id: "Count-v0",
    observation: discrete(10),
    action: discrete(2),
    agents: { names: ["first", "second"], order: "turns" },
  };
  total = 0;
  turn = 0;
  got: (Value | null)[] = [];

  reset() {
    this.total = this.turn = 0;
    return { observations: [0, 0], alive: [true, false] };
  }

  step(actions: readonly (Value | null)[]): MultiStep {
    this.got = [...actions];
    this.total += (actions[this.turn] as number) + 1;
    const over = this.total >= 6;
    const winner = this.turn;
    this.turn = 1 - this.turn;
    const observations: (Value | null)[] = [null, null];
    observations[this.turn] = this.total;
    return {
      observations,
      alive: [0, 1].map((i) => i === this.turn),
      rewards: over ? [0, 1].map((i) => (i === winner ? 1 : -1)) : [0, 0],
      terminated: [over, over],
      truncated: [false, false],
      over,
    };
  }

  mask(slot: number) {
    return [1, slot];
  }
}

describe("agents in turns", () => {
  it("lets one act at a time and pays the one who waits too", () => {
    const env = new Count();
    const vector = vectoriseMulti(() => env, 1);
    vector.reset();
    const lives: string[] = [flags(vector.alive!)];
    for (let t = 0; t < 4; t++) {
      vector.step(i32(0, 1));
      lives.push(flags(vector.alive!));
    }
    expect(lives).toEqual(["10", "01", "10", "01", "10"]);
    expect(env.got).toEqual([null, 1]);
    expect([...vector.ended.return]).toEqual([-1, 1]);
    expect([...vector.ended.length]).toEqual([2, 2]);
    expect(vector.reward.toArray()).toEqual([-1, 1]);
    // The second player is told nothing more: its last observation stays as the final one.
    expect((vector.final as Tensor).toArray()).toEqual([6, 4]);
    expect((vector.observation as Tensor).toArray()).toEqual([0, 0]);
  });

  it("shows the mask of who acts, and allows all to who waits", () => {
    const vector = vectoriseMulti(() => new Count(), 1);
    vector.reset();
    expect((vector.mask as Tensor).toArray()).toEqual([
      [true, false],
      [true, true],
    ]);
    vector.step(i32(0, 0));
    expect((vector.mask as Tensor).toArray()).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it("ignores the actions of those who wait, whatever they are", () => {
    const vector = vectoriseMulti(() => new Count(), 1);
    vector.reset();
    vector.step(i32(1, 99));
    expect((vector.observation as Tensor).toArray()).toEqual([0, 2]);
  });
});

describe("a broken contract is named", () => {
  const room =
    (change: object, spec: Partial<EnvSpec> = {}) =>
    () => {
      const env = new Room(6, spec);
      const inner = env.step.bind(env);
      return Object.assign(env, { step: (a: Value[]) => ({ ...inner(a), ...change }) });
    };
  const names = ["a", "b", "c"];
  it.each<[string, () => MultiEnv, string]>([
    [
      "too few rewards",
      room({ rewards: [1] }),
      "Room-v0, row 0: `rewards` is an array of 1; it must have one entry for each of the 3 agents.",
    ],
    ["no word on the end", room({ over: undefined }), "Room-v0, row 0: step() gave back undefined as `over`"],
    [
      "a bad observation",
      room({ observations: [[0, 0], [1], null] }),
      "Room-v0, row 1: observation has 1 number",
    ],
    [
      "a blind agent",
      room({ observations: [[0, 0], [1, 1], null], alive: [1, 1, 1] }),
      "Room-v0, row 2: c may act, but has no observation.",
    ],
    [
      "two turns at once",
      room({}, { agents: { names, order: "turns" } }),
      "Room-v0, row 0: 2 agents may act; where they take turns exactly one may.",
    ],
    [
      "a bad state",
      () => Object.assign(new Room(), { state: () => [1] }),
      "Room-v0, row 0: state has 1 number",
    ],
    ["no agents", () => new Room(6, { agents: undefined }), "its spec names no agents"],
  ])("%s", (_, make, words) => {
    expect(() => {
      const vector = vectoriseMulti(make, 1);
      vector.reset();
      vector.step(tensor([1, 1, 1], { dtype: "i32" }));
    }).toThrow(words);
  });
});
