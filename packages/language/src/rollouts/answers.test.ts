import type { Episode } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { setBackend, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { sampleProblem } from "../tasks/sample-problem.ts";
import { echo, options, playing, tiny, tokenizer } from "./testing.ts";
import { answerOf, textEpisode } from "./text-episode.ts";

setBackend("wasm");

const list = (t: unknown) => [...(t as Tensor).data];
const by = ({ columns }: Episode) => list(columns.by).map((m) => makers[m]);
const of = answerOf;
/** The tokens of an episode, including the first. */
const tokens = ({ columns }: Episode) => [list(columns.observation)[0], ...list(columns.action)];

it("a problem's context sets the temperature of its samples, but not of its greedy rollout", async () => {
  const { play } = playing(options(), () => [
    { groupSize: 1, greedy: true, context: { temperature: 2 } },
    { groupSize: 1, greedy: true },
  ]);
  const [hot, usual, greedy, greedyUsual] = await play.next();
  const inverses = ({ columns }: Episode) =>
    list((columns.trace as { inverseTemperature: Tensor }).inverseTemperature);
  expect(new Set(inverses(hot).filter((_, i) => by(hot)[i] === "policy"))).toEqual(new Set([0.5]));
  expect([usual, greedy, greedyUsual].map((e) => "trace" in e.columns)).toEqual([false, false, false]);
});

describe("authors of tokens", () => {
  it("are recorded for every token but the first, which was not chosen", () => {
    const episode = textEpisode(
      [
        { by: "environment", tokens: [5, 6] },
        { by: "hint", tokens: [7] },
        { by: "policy", tokens: [8, 9], logProb: [-0.5, -0.25], version: [4, 5] },
        { by: "tool", tokens: [10] },
        { by: "policy", tokens: [1], logProb: [-1], version: [6] },
      ],
      { truncated: false, answered: { problem: sampleProblem(echo, 1, "train", 0), text: "", ended: "end" } },
    );
    expect(list(episode.columns.observation)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(list(episode.columns.action)).toEqual([6, 7, 8, 9, 10, 1]);
    expect(by(episode)).toEqual(["environment", "hint", "policy", "policy", "tool", "policy"]);
    expect(list(episode.columns.logProb)).toEqual([0, 0, -0.5, -0.25, 0, -1]);
    expect(list(episode.columns.version)).toEqual([0, 0, 4, 5, 0, 6]);
    expect(episode.segments).toEqual([{ from: 0, to: 6 }]);
  });

  it("own answers, a greedy rollout and a teacher's answer form one group", async () => {
    const { play } = playing(options(), () => [
      { groupSize: 2, greedy: true, teachers: 1 },
      { groupSize: 1 },
    ]);
    const episodes = await play.next();
    expect(episodes.map((e) => e.group)).toEqual(["0/0", "0/0", "0/1", "0/0", "0/0"]);
    expect(episodes.map((e) => e.role)).toEqual([undefined, undefined, undefined, "greedy", "teacher"]);
    const makersOf = episodes.map((e) => new Set(by(e)));
    expect(makersOf.map((m) => [...m])).toEqual([
      ["environment", "policy"],
      ["environment", "policy"],
      ["environment", "policy"],
      ["environment", "greedy"],
      ["environment", "teacher"],
    ]);
    const taught = episodes[4];
    const { problem, text } = of(taught);
    expect(text).toBe(problem.answer);
    expect(tokens(taught)).toEqual([...tokenizer.encode(problem.prompt + problem.answer), tokenizer.end]);
    // Steps count generated tokens, including the greedy rollout's.
    const written = episodes.slice(0, 4).map((e) => tokens(e).length - of(e).problem.prompt.length);
    expect(play.steps).toBe(written.reduce((a, b) => a + b, 0));
  });

  it("a hint is a prefix of the reference answer, and part of the judged text", async () => {
    const { play } = playing(options(), () => [{ context: { hint: 0.7 } }, { context: { hint: 0.3 } }]);
    const [two, none] = await play.next();
    expect(by(two).filter((m) => m === "hint")).toHaveLength(2);
    expect(of(two).text.slice(0, 2)).toBe(of(two).problem.answer.slice(0, 2));
    expect(by(two).indexOf("policy")).toBe(by(two).lastIndexOf("hint") + 1);
    expect(by(none)).not.toContain("hint");
    // A hint counts towards the limit.
    expect(by(two).filter((m) => m !== "environment").length).toBeLessThanOrEqual(7);
  });
});

it("resumes from a checkpoint to the same bits, also without an update between two batches", async () => {
  // Hints repeat texts of the previous batch, which would otherwise be found in the KV caches.
  const problems = (batch: number) =>
    Array.from({ length: 8 }, (_, seed) => ({
      seed,
      groupSize: 4,
      greedy: true,
      context: { hint: 0.7 * batch },
    }));
  const o = options({ start: tiny({ layers: 2, width: 16 }), rows: 32 });
  const straight = playing(o, problems).play;
  await straight.next();
  const saved = straight.save();
  const after = await straight.next();
  const resumed = playing(o, (batch) => problems(batch + 1)).play;
  resumed.restore(saved);
  const again = await resumed.next();
  expect(again.map((e) => e.group)).toEqual(after.map((e) => e.group));
  for (const [i, e] of again.entries())
    for (const name of ["observation", "action", "logProb", "by", "version"])
      expect(list(e.columns[name])).toEqual(list(after[i].columns[name]));
});
