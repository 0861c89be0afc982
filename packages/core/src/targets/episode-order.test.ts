import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pack } from "../batch.ts";
import { type Episode, lastOwnStep, makers, type Segment } from "../episode.ts";
import { inRows } from "../loop/episode-columns.ts";
import { textGae } from "./text-gae.ts";
import { turnGae } from "./turn-gae.ts";

const values = [0.5, -1, 2, 0.25, 1.5, -0.5];
const rewards = [0, 0.5, 0, 0, -0.25, 1];
/** The third step is a tool's. */
const by = ["policy", "policy", "tool", "policy", "policy", "policy"] as const;

function episodeOf(segments: readonly Segment[], turns: readonly number[]): Episode {
  return {
    columns: {
      by: tensor(Uint8Array.from(by, (m) => makers.indexOf(m))),
      turn: tensor(Int32Array.from(turns)),
      value: tensor(values),
      reward: tensor(rewards),
    },
    segments,
    terminated: true,
    truncated: false,
    return: [],
  };
}

/** A target's columns at the policy's steps, in the order of the episode's columns. */
function found(episode: Episode, target: typeof textGae | typeof turnGae) {
  const episodes = [episode, episode];
  const numbered = { number: Float32Array.from({ length: 12 }, (_, i) => i + 1) };
  const { columns } = inRows(pack(episodes), numbered, { from: "policy", episodes });
  const named = target({ gamma: 0.9, lambda: 0.8 })(columns) as { [name: string]: Tensor };
  const [alive, number] = [columns.alive, columns.number].map((t) => (t as Tensor).data);
  return Object.fromEntries(
    Object.entries(named).map(([name, { data }]) => {
      const out = Array<number>(12).fill(0);
      alive.forEach((is, at) => {
        if (is) out[number[at] - 1] = data[at];
      });
      return [name, out];
    }),
  );
}

const whole: Segment[] = [{ from: 0, to: 6 }];
const rewritten: Segment[] = [
  { from: 0, to: 4 },
  { from: 4, to: 6, parent: { segment: 0, step: 0 } },
];

describe("an episode in several segments", () => {
  it.each([
    ["tokens", textGae],
    ["turns", turnGae],
  ])("has the advantages of one sequence, over %s", (_, target) => {
    const turns = [1, 1, 0, 2, 3, 3];
    expect(found(episodeOf(rewritten, turns), target)).toEqual(found(episodeOf(whole, turns), target));
  });

  it("that returns to an earlier segment is ordered by its turns", () => {
    // The steps 4 and 5 are the second turn, in a segment of their own; step 3 is the third turn.
    const returning = episodeOf(rewritten, [1, 1, 0, 3, 2, 2]);
    expect(lastOwnStep(returning)).toBe(3);
    const { advantage } = found(returning, textGae);
    // The last turn earns its own reward only: 0 - 0.25.
    expect(advantage[3]).toBeCloseTo(-0.25, 6);
    // Step 5 leads to step 3: 1 + 0.9 * 0.25 - (-0.5) + 0.72 * -0.25.
    expect(advantage[5]).toBeCloseTo(1.545, 6);
  });
});
