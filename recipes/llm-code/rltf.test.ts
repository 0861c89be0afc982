import type { Episode, JudgedEpisode } from "@reins/core";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { execute, judged } from "../shared/circuits.ts";
import { coarse, fine, onlineBuffer, tokenAdvantages } from "./rltf.parts.ts";

const reference = "&ab|pc";
const data = { reference, wanted: execute(reference).output, needed: 2 };

/** A sample with a prompt of two tokens and an end of its text. */
const sample = (text: string, reward: number, own: Partial<Episode> = {}): JudgedEpisode => {
  const episode = {
    columns: { by: tensor(Uint8Array.from([4, 4, ...new Array(text.length + 1).fill(0)]), { dtype: "u8" }) },
    segments: [],
    terminated: true,
    truncated: false,
    return: [],
    group: "g",
    answered: { problem: { prompt: "", answer: "", level: 1, data }, text },
    ...own,
  } as Episode;
  return { episode, verdict: { reward }, reward };
};

it("rewards by error class, and by the share of tests", () => {
  expect(coarse(judged("&a", data))).toBe(-1);
  expect(coarse(judged("&ab|qc", data))).toBe(-0.6);
  expect(coarse(judged(reference, data))).toBe(1);
  // (a and b) or c is true in ten tests, which "a and b" misses in six.
  expect(coarse(judged("&ab", data))).toBeCloseTo(-0.3 + 1.3 * (10 / 16), 12);
});

it("penalises the characters of the statement at which a program stops", () => {
  const of = (text: string) => fine({ ...judged(text, data), text });
  expect(of("&ab|qc^pd")).toEqual([0, 0, 0, 0.3, 0.3, 0.3, 0, 0, 0]);
  expect(of("&ab|p")).toEqual([0, 0, 0, 0.3, 0.3]);
  expect(of("&ab")).toEqual([0, 0, 0]);
});

it("gives each token the relative reward, less the penalty of its statement", () => {
  const close = (found: ArrayLike<number>, expected: readonly number[]) =>
    expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 6));
  close(
    tokenAdvantages(sample("&ab|qc", -0.6), true),
    [-0.6, -0.6, -0.6, -0.6, -0.6, -0.9, -0.9, -0.9, -0.6],
  );
  close(tokenAdvantages(sample("&ab|qc", -0.6), false), new Array(9).fill(-0.6));
});

it("compares with the greedy program, and draws from the latest batches", () => {
  const { select } = onlineBuffer(2, 1);
  const batch = (reward: number) => [
    sample("&ab", reward),
    sample("&ab", reward + 1),
    sample("&ab", 0.25, { role: "greedy" }),
  ];
  const first = select(batch(1))!.map((j) => j.reward);
  expect(first.sort()).toEqual([0.75, 1.75]);
  for (let reward = 2; reward < 40; reward++) {
    const drawn = select(batch(reward))!.map((j) => j.reward + 0.25);
    expect(drawn).toHaveLength(2);
    for (const r of drawn) expect(r).toBeGreaterThanOrEqual(reward - 1);
  }
});
