import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type Selection, scoreOf } from "../selection.ts";
import { chain, dropTruncated, nonZeroVariance, replayGroups, replaySuccesses } from "./index.ts";
import { marks, played } from "./testing.ts";

/** Two samples of a group, whose marks are 10 g and 10 g + 1. */
const pair = (g: number, ...rewards: readonly [number, number]) =>
  rewards.map((reward, i) => played({ group: `g${g}`, reward, mark: 10 * g + i }));

describe("informative", () => {
  it("drops groups with equal rewards, and single episodes", () => {
    const judged = [...pair(1, 0, 1), ...pair(2, 1, 1), ...pair(3, 0.5, 0), played({ mark: 7, reward: 1 })];
    expect(marks(nonZeroVariance().select(judged))).toEqual([10, 11, 30, 31]);
    expect(nonZeroVariance().select(pair(1, 0, 0))).toEqual([]);
  });

  it("sees a whole group although its episodes are not adjacent", () => {
    const [a, b] = pair(1, 0, 1);
    expect(marks(nonZeroVariance().select([a, ...pair(2, 0, 0), b]))).toEqual([10, 11]);
  });

  it("requests more until enough groups have a learning signal, and takes no more than those", () => {
    const selection = nonZeroVariance({ groups: 2 });
    expect(selection.select([...pair(1, 0, 1), ...pair(2, 0, 0)])).toBeUndefined();
    const all = [...pair(1, 0, 1), ...pair(2, 0, 0), ...pair(3, 0, 1), ...pair(4, 1, 0)];
    expect(marks(selection.select(all))).toEqual([10, 11, 30, 31]);
  });

  it("takes what it has when its patience ends, and starts over the next time", () => {
    const selection = nonZeroVariance({ groups: 2, patience: 3 });
    for (let update = 0; update < 2; update++) {
      expect(selection.select(pair(1, 0, 1))).toBeUndefined();
      expect(selection.select(pair(1, 0, 1))).toBeUndefined();
      expect(marks(selection.select(pair(1, 0, 1)))).toEqual([10, 11]);
    }
    const impatient = nonZeroVariance({ groups: 2, patience: 1 });
    expect(impatient.select(pair(1, 0, 0))).toEqual([]);
  });
});

describe("queued", () => {
  it("replays groups with different rewards and a success, oldest first, as separate groups", () => {
    const selection = replayGroups({ groups: 1, capacity: 2 });
    const first = [...pair(1, 0, 1), ...pair(2, 1, 1), ...pair(3, 0.5, 0), ...pair(4, 1, 0)];
    expect(marks(selection.select(first))).toEqual([10, 11, 20, 21, 30, 31, 40, 41]);
    const chosen = selection.select(pair(5, 0, 1))!;
    expect(marks(chosen)).toEqual([50, 51, 10, 11]);
    expect(chosen.map((j) => j.episode.group)).toEqual(["g5", "g5", "g1 again", "g1 again"]);
    const saved = selection.save!();
    for (const one of [selection, replayGroups({ groups: 1, capacity: 2 })]) {
      one.restore!(saved);
      expect(marks(one.select([]))).toEqual([40, 41]);
      expect(marks(one.select([]))).toEqual([50, 51]);
      expect(marks(one.select([]))).toEqual([]);
    }
  });

  it("drops the oldest when it is full", () => {
    const selection = replayGroups({ groups: 4, capacity: 1 });
    selection.select([...pair(1, 0, 1), ...pair(2, 1, 0)]);
    expect(marks(selection.select([]))).toEqual([20, 21]);
  });
});

describe("untruncated", () => {
  it("drops truncated episodes, but not baselines", () => {
    const judged = [
      played({ mark: 1 }),
      played({ mark: 2, truncated: true }),
      played({ mark: 3, truncated: true, role: "greedy", by: ["greedy", "greedy"] }),
    ];
    expect(marks(dropTruncated().select(judged))).toEqual([1, 3]);
  });
});

describe("successes", () => {
  const problem = (e: { context?: object }) => String((e.context as { problem: number }).problem);
  const play = (problem: number, group: string, reward: number, mark: number) =>
    played({ group, reward, mark, context: { problem } });

  it("keeps the last success of a problem, which joins its next group that has none", () => {
    const selection = replaySuccesses(problem);
    expect(marks(selection.select([play(1, "a", 1, 1), play(1, "a", 0, 2), play(1, "a", 1, 3)]))).toEqual([
      1, 2, 3,
    ]);
    // Another problem has no success to join; the first one gets the last of its two.
    const second = selection.select([play(2, "b", 0, 4), play(1, "c", 0, 5)])!;
    expect(marks(second)).toEqual([4, 5, 3]);
    expect(second[2].episode.group).toBe("c");
    expect(second[2].reward).toBe(1);
    // If the group has a success, nothing joins, and the new one is stored.
    expect(marks(selection.select([play(1, "d", 0, 6), play(1, "d", 1, 7)]))).toEqual([6, 7]);
    expect(marks(selection.select([play(1, "e", 0, 8)]))).toEqual([8, 7]);
  });

  it("uses the task score, regardless of length and format rewards", () => {
    const selection = replaySuccesses(problem);
    selection.select([
      { ...play(1, "a", 0.4, 1), verdict: { reward: 0.4, score: 1 } },
      { ...play(2, "b", 1.1, 2), verdict: { reward: 1.1, score: 0.5 } },
    ]);
    expect(marks(selection.select([play(1, "c", 0, 3), play(2, "d", 0, 4)]))).toEqual([3, 1, 4]);
    expect(scoreOf(play(1, "a", 0.4, 1))).toBe(0.4);
  });

  it("keeps no more than its capacity, and drops the oldest success", () => {
    const selection = replaySuccesses(problem, { capacity: 2 });
    selection.select([play(1, "a", 1, 1), play(2, "b", 1, 2)]);
    selection.select([play(1, "c", 1, 3), play(3, "d", 1, 4)]);
    const flat = [1, 2, 3].map((p) => play(p, `e${p}`, 0, 10 + p));
    expect(marks(selection.select(flat))).toEqual([11, 3, 12, 13, 4]);
  });

  it("resumes exactly", () => {
    const first = replaySuccesses(problem, { capacity: 2 });
    const placed = { reward: 1, steps: Float32Array.of(0, 1), wellFormed: true };
    first.select([{ ...play(1, "a", 1, 1), verdict: placed }, play(2, "b", 1, 2)]);
    const saved = first.save!();
    first.select([play(4, "x", 1, 9)]);
    const second = replaySuccesses(problem, { capacity: 2 });
    second.select([play(3, "y", 1, 8)]);
    second.restore!(saved);
    const flat = [1, 2, 3].map((p) => play(p, `c${p}`, 0, 10 + p));
    const chosen = second.select(flat)!;
    expect(marks(chosen)).toEqual([11, 1, 12, 2, 13]);
    expect(chosen[1].verdict).toEqual({ ...placed, steps: [0, 1] });
    expect([...(chosen[1].episode.columns.action as Tensor).data]).toEqual([1, 1]);
    // The oldest is still the oldest.
    second.select([play(5, "z", 1, 20)]);
    expect(marks(second.select([play(1, "q", 0, 30), play(2, "r", 0, 31)]))).toEqual([30, 31, 2]);
  });
});

describe("inOrder", () => {
  it("passes on what each one lets through, and requests more if any does", () => {
    const seen: (readonly number[] | undefined)[] = [];
    const spy: Selection = {
      select(judged) {
        seen.push(marks(judged));
        return judged;
      },
    };
    const selection = chain(dropTruncated(), nonZeroVariance({ groups: 1 }), spy);
    const cut = played({ group: "g1", reward: 1, mark: 5, truncated: true });
    expect(selection.select([...pair(1, 0, 0), cut])).toBeUndefined();
    expect(seen).toEqual([]);
    expect(marks(selection.select([...pair(1, 0, 0), ...pair(2, 0, 1)]))).toEqual([20, 21]);
    expect(seen).toEqual([[20, 21]]);
  });

  it("saves the state of stateful selections", () => {
    const make = () =>
      chain(
        dropTruncated(),
        replaySuccesses(() => "same"),
      );
    const first = make();
    first.select([played({ reward: 1, mark: 1 })]);
    const second = make();
    second.restore!(first.save!());
    expect(marks(second.select([played({ group: "g", mark: 2 })]))).toEqual([2, 1]);
  });
});
