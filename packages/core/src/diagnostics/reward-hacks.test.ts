import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type Episode, makers } from "../episode.ts";
import type { JudgedEpisode } from "../selection.ts";
import { text } from "../space.ts";
import { diagnose } from "./diagnose.ts";
import { History } from "./history.ts";

const rounds = 16;
const policy = makers.indexOf("policy");

/** A completion of these tokens. */
const completion = (problem: string, tokens: readonly number[], reward: number): JudgedEpisode => {
  const by = tensor(new Uint8Array(tokens.length).fill(policy), { dtype: "u8" });
  const episode: Episode = {
    columns: { action: tensor(Int32Array.from(tokens)), by },
    segments: [{ from: 0, to: tokens.length }],
    terminated: true,
    truncated: false,
    return: [],
    problem,
    group: problem,
  };
  return { episode, reward, verdict: { reward } };
};

/** The findings of a run with these metrics, which change linearly, and this last batch. */
function found(
  metrics: { readonly [name: string]: readonly [number, number] },
  episodes: readonly JudgedEpisode[],
) {
  const history = new History();
  for (let i = 0; i < rounds; i++)
    history.note(
      Object.fromEntries(
        Object.entries(metrics).map(([name, [from, to]]) => [name, from + ((to - from) * i) / (rounds - 1)]),
      ),
    );
  const spec = { id: "problems", observation: text(9), action: text(9) };
  const run = { options: { env: { spec } }, history, steps: 1000, rounds };
  return diagnose({ ...run, process: { settings: {}, inspect: () => ({ episodes }) } }).map(
    ({ name }) => name,
  );
}

/** Eight completions of each of eight problems, of 1 to 8 tokens; `reward` from the problem and the length. */
const batch = (
  reward: (problem: number, length: number) => number,
  tokens = (i: number, k: number) => i + k,
) =>
  Array.from({ length: 64 }, (_, i) => {
    const [problem, length] = [Math.floor(i / 8), 1 + (i % 8)];
    const own = Array.from({ length }, (_, k) => tokens(i, k));
    return completion(`${problem}`, own, reward(problem, length));
  });

describe("length bias", () => {
  const metrics = {
    "reward/mean": [0, 1],
    "reward/std": [0.3, 0.3],
    "score/mean": [0.2, 0.2],
    "length/mean": [4, 12],
  } as const;

  it("is found where longer completions of a problem earn more without a higher score", () => {
    expect(
      found(
        metrics,
        batch((_, length) => length),
      ),
    ).toEqual(["length bias"]);
  });

  it("is not found where the score rises too, lengths do not, or only long problems have long answers", () => {
    expect(
      found(
        { ...metrics, "score/mean": [0.2, 0.6] },
        batch((_, length) => length),
      ),
    ).toEqual([]);
    const other = ["reward without score"];
    expect(
      found(
        { ...metrics, "length/mean": [4, 4] },
        batch((_, length) => length),
      ),
    ).toEqual(other);
    expect(
      found(
        metrics,
        batch((problem) => problem),
      ),
    ).toEqual(other);
  });
});

describe("one answer for all", () => {
  const metrics = { "reward/mean": [0, 1], "reward/std": [0.3, 0.1] } as const;
  const same = (problems: number) =>
    Array.from({ length: 64 }, (_, i) => completion(`${i % problems}`, [3, 1], i === 0 ? 0.9 : 1));

  it("is found where one completion earns the reward of all prompts", () => {
    expect(found(metrics, same(8))).toEqual(["one answer for all"]);
  });

  it("is not found with few prompts, different completions, or without a higher reward", () => {
    expect(found(metrics, same(4))).toEqual([]);
    expect(
      found(
        metrics,
        batch((problem) => problem),
      ),
    ).toEqual([]);
    expect(found({ ...metrics, "reward/mean": [1, 1] }, same(8))).toEqual([]);
  });
});
