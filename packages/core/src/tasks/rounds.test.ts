import { describe, expect, it } from "vitest";
import type { JudgedEpisode } from "../selection.ts";
import { verdictBaseline } from "../targets/verdict-baseline.ts";
import { endless } from "./endless.ts";
import { rounds } from "./rounds.ts";
import { nextOf, playsOf } from "./testing.ts";

const four = () => endless({ seed: 3, groups: 4, groupSize: 8 });

/** The correct samples of each problem in a round: half, all, none, one in the second round only. */
const table = [
  [1, 1, 0, 0],
  [1, 1, 1, 1],
  [0, 0, 0, 0],
];

/** Runs an update to its end: the samples of each round, and those that are trained on. */
function played(
  task: ReturnType<typeof rounds>,
  rewardOf: (problem: number, round: number, play: number) => number,
) {
  const batches: (readonly { seed?: number; group?: string; groupSize: number }[])[] = [];
  let all: JudgedEpisode[] = [];
  for (;;) {
    const problems = nextOf(task);
    const round = batches.push(problems) - 1;
    const judged = playsOf(problems, (p, i) => rewardOf(Number(p.group!.split(":")[1]), round, i));
    all = [...all, ...judged];
    task.observe!(judged);
    const chosen = task.select(all);
    if (chosen) return { batches, chosen };
  }
}

const groupsOf = (batch: readonly { group?: string }[]) => batch.map((p) => p.group);

describe("rounds", () => {
  const reward = (problem: number, round: number, play: number) =>
    problem < 3 ? table[problem][play] : Number(round === 1 && play === 0);

  it("retires problems with enough samples and samples the others again", () => {
    const task = rounds(four(), { groupSize: 4, most: 3, keep: 4 });
    const { batches } = played(task, reward);
    expect(batches.map(groupsOf)).toEqual([
      ["0:0", "0:1", "0:2", "0:3"],
      ["0:1", "0:2", "0:3"],
      ["0:1", "0:2", "0:3"],
    ]);
    // The same problem in every round.
    expect(batches[2].map((p) => p.seed)).toEqual(batches[0].slice(1).map((p) => p.seed));
    expect(batches.flat().every((p) => p.groupSize === 4)).toBe(true);
  });

  it("keeps both outcomes, balanced if possible, and sets the mean of all samples as baseline", () => {
    const { chosen } = played(rounds(four(), { groupSize: 4, most: 3, keep: 4 }), reward);
    const kept = chosen.map((j) => [j.episode.group, j.reward, j.verdict.baseline]);
    expect(kept).toEqual([
      ["0:0", 1, 1 / 2],
      ["0:0", 1, 1 / 2],
      ["0:0", 0, 1 / 2],
      ["0:0", 0, 1 / 2],
      ["0:3", 1, 1 / 12],
      ["0:3", 0, 1 / 12],
      ["0:3", 0, 1 / 12],
      ["0:3", 0, 1 / 12],
    ]);
    const twelfths = [6, 6, -6, -6, 11, -1, -1, -1].map((x) => Math.fround(x / 12));
    expect([...verdictBaseline(chosen)]).toEqual(twelfths);
  });

  it("keeps more correct samples if wrong ones are few", () => {
    const one = rounds(endless({ seed: 0, groups: 1, groupSize: 1 }), { groupSize: 6, most: 1, keep: 4 });
    const { chosen } = played(one, (_, __, play) => Number(play !== 5));
    expect(chosen.map((j) => j.reward)).toEqual([1, 1, 1, 0]);
  });

  it("ends before the last round when all have enough samples", () => {
    const task = rounds(four(), { groupSize: 4, most: 3, keep: 4 });
    const half = (_: number, __: number, play: number) => play % 2;
    expect(played(task, half).batches.length).toBe(1);
    // The next update has new problems.
    expect(groupsOf(played(task, half).batches[0])).toEqual(["1:0", "1:1", "1:2", "1:3"]);
  });

  it("stops at one correct sample under that rule", () => {
    const task = rounds(four(), { groupSize: 4, most: 3, keep: 4, enough: "positive" });
    const { batches, chosen } = played(task, reward);
    expect(batches.map(groupsOf)).toEqual([["0:0", "0:1", "0:2", "0:3"], ["0:2", "0:3"], ["0:2"]]);
    expect(chosen.map((j) => j.episode.group)).toEqual([...Array(4).fill("0:0"), ...Array(4).fill("0:3")]);
  });

  it("reports results to the inner task", () => {
    let seen = 0;
    const inner = { ...four(), observe: (judged: readonly JudgedEpisode[]) => (seen += judged.length) };
    played(rounds(inner, { groupSize: 4, most: 3 }), reward);
    expect(seen).toBe(4 * (4 + 3 + 3));
  });

  it("resumes exactly", () => {
    const task = rounds(four(), { groupSize: 4, most: 3 });
    played(task, reward);
    const saved = task.save!();
    const expected = played(task, reward);
    const again = rounds(four(), { groupSize: 4, most: 3 });
    nextOf(again);
    again.restore!(saved);
    expect(played(again, reward)).toEqual(expected);
  });
});

describe("verdictBaseline", () => {
  it("needs a baseline", () => {
    const judged = playsOf([{ key: "a", groupSize: 1 }], () => 1);
    expect(() => verdictBaseline(judged)).toThrow("Use a selection that sets one");
  });
});
