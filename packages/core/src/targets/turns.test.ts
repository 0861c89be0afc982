import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pack } from "../batch.ts";
import type { JudgedEpisode } from "../selection.ts";
import { groupRelative } from "./group.ts";
import { turnAdvantages, turnReturns } from "./turns.ts";

/** An episode of these turns with the given step rewards. */
function judged(turns: readonly number[], steps: readonly number[], group = "g"): JudgedEpisode {
  const by = Uint8Array.from(turns, (t) => (t ? 0 : 4));
  return {
    reward: steps.reduce((a, b) => a + b, 0),
    verdict: { reward: steps.reduce((a, b) => a + b, 0), steps },
    episode: {
      columns: {
        action: tensor(Int32Array.from(turns), { dtype: "i32" }),
        by: tensor(by, { dtype: "u8" }),
        turn: tensor(Int32Array.from(turns), { dtype: "i32" }),
      },
      segments: [{ from: 0, to: turns.length }],
      terminated: true,
      truncated: false,
      return: [],
      group,
    },
  };
}
const batchOf = (all: readonly JudgedEpisode[]) => pack(all.map((j) => j.episode));

describe("turns", () => {
  // Two turns with environment tokens between them, which have rewards too.
  const a = judged([0, 1, 1, 0, 2, 2], [0, 0, 1, 2, 0, 4]);
  const b = judged([0, 1, 0, 0, 0, 0], [0, 3, 0, 0, 0, 0]);
  const c = judged([0, 1, 0, 2, 0, 3], [0, 0, 0, 0, 0, 1], "h");

  it("have the return from them on, discounted by turns", () => {
    expect(turnReturns(batchOf([a, b]), [a, b]).map((r) => [...r])).toEqual([[7, 4], [3]]);
    expect(turnReturns(batchOf([a, b]), [a, b], 0.5).map((r) => [...r])).toEqual([[5, 4], [3]]);
  });

  it("are compared with the same turn of others, and environment tokens have no advantage", () => {
    const all = [a, b, c];
    const asked: number[][] = [];
    const advantage = turnAdvantages(batchOf(all), all, 1, (returns, members) => {
      asked.push([...members]);
      return groupRelative(
        returns,
        members.map((e) => (e < 2 ? 0 : 1)),
        { scale: "none" },
      );
    });
    expect(asked).toEqual([[0, 1, 2], [0, 2], [2]]);
    expect([...advantage.slice(0, 6)]).toEqual([0, 2, 2, 0, 0, 0]);
    expect([...advantage.slice(6, 12)]).toEqual([0, -2, 0, 0, 0, 0]);
    expect([...advantage.slice(12)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("an episode without turns is one turn", () => {
    const { turn: _, ...columns } = a.episode.columns;
    const plain = { ...a, episode: { ...a.episode, columns } };
    expect([...turnReturns(batchOf([plain]), [plain])[0]]).toEqual([7]);
    const advantage = turnAdvantages(batchOf([plain]), [plain], 1, (returns) => returns);
    expect([...advantage]).toEqual([7, 7, 7, 7, 7, 7]);
  });
});
