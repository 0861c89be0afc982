import type { TranscriptLine } from "@reins/studio/wire";
import { settingText } from "@reins/studio/wire";
import { describe, expect, it } from "vitest";
import { curvesOf } from "../episodes/observations.tsx";
import { actionText } from "../episodes/step.tsx";
import { duration, exact, left, short } from "../format.ts";
import { href, joined, split } from "../route.ts";
import {
  canTint,
  colorFor,
  gradientOf,
  numberFor,
  rangeOf,
  type Tint,
  tintFor,
} from "../transcripts/tint.ts";
import {
  openingOf,
  spansOf,
  specialName,
  type Transcript,
  transcriptFrom,
  turnsOfAll,
} from "../transcripts/transcript.ts";
import { flat, typedForEnv, typedIn } from "./run/setting-rows.ts";
import { numberIn, scaleFor } from "./run/setting-slider.tsx";
import {
  filterIn,
  filterQuery,
  groupOf,
  groupWords,
  matchesFilter,
  noFilter,
  stepIn,
} from "./run/transcript-filter.ts";

describe("a transcript", () => {
  const line = {
    tokens: ["a", "?", "x", "y", "7", "z"],
    makers: ["hint", "hint", "policy", "policy", "tool", "policy"],
    turns: [0, 0, 1, 1, 0, 2],
    segments: [{ from: 0, to: 6 }],
    logProbs: [null, null, -0.5, -2, null, -0.1],
    rewards: [0, 0, 0, 0, 0, 1],
    advantages: [0, 0, 0.5, -1, 9, 1],
  };
  const readFrom = (more: object) => transcriptFrom({ ...line, ...more }) as Transcript;
  const t = readFrom({});

  it("has spans of one author each", () => {
    expect(spansOf(t).map(({ maker, from, to }) => [maker, from, to])).toEqual([
      ["hint", 0, 2],
      ["policy", 2, 4],
      ["tool", 4, 5],
      ["policy", 5, 6],
    ]);
    expect(openingOf(readFrom({ first: "!" }))).toBe("!a?");
  });

  it("ignores invalid lists, and reports invalid transcripts", () => {
    const { turns, segments, rewards, advantages, logProbs } = readFrom({
      ...{ turns: undefined, segments: "x", rewards: [1], advantages: {}, logProbs: [0] },
    });
    expect(turns).toEqual([0, 0, 0, 0, 0, 0]);
    expect([segments, rewards.length, advantages, logProbs[2]]).toEqual([
      [{ from: 0, to: 6 }],
      6,
      undefined,
      null,
    ]);
    expect([null, 7, {}, { tokens: [1] }].map(transcriptFrom)).toEqual([
      "it is not an object",
      "it is not an object",
      "it has no tokens",
      "it has no tokens",
    ]);
    expect(transcriptFrom({ version: 1, step: 1, tokens: ["a", "b"] })).toContain("makers must name");
    expect(transcriptFrom({ tokens: ["a", "b"], makers: ["policy"] })).toContain("makers must name");
  });

  it("colours only tokens that are trained on", () => {
    const numbers = (tint: Tint) => t.tokens.map((_, i) => numberFor(t, tint, i));
    expect(numbers("advantage")).toEqual([undefined, undefined, 0.5, -1, undefined, 1]);
    expect(numbers("log-probability")).toEqual([undefined, undefined, -0.5, -2, undefined, -0.1]);
    expect(numbers("reward")).toEqual([undefined, undefined, undefined, undefined, undefined, 1]);
    const range = { low: -1, high: 1 };
    expect(colorFor("advantage", 1, "policy", range)).toContain("--good");
    expect(colorFor("advantage", -1, "policy", range)).toContain("--bad");
    expect(colorFor("advantage", undefined, "tool", range)).toBeUndefined();
    expect(colorFor("writer", undefined, "policy", undefined)).toContain("--accent");
  });

  it("uses the colourings that are available, on a shared scale", () => {
    const taught = readFrom({
      makers: line.makers.map((m) => (m === "policy" ? "teacher" : m)),
      // Earlier versions stored 0 for tokens that were not sampled.
      ...{ logProbs: [0, 0, 0, 0, 0, 0], advantages: undefined, entropies: [0, 0, 1, 3, 0, 2] },
    });
    expect([tintFor([t]), tintFor([taught]), tintFor([taught, t]), tintFor([])]).toEqual([
      "advantage",
      "entropy",
      "advantage",
      "writer",
    ]);
    expect([canTint([taught], "log-probability"), canTint([t], "entropy")]).toEqual([false, false]);
    expect(tintFor([readFrom({ advantages: [0, 0, 0, 0, 0, 0] })])).toBe("log-probability");
    expect(rangeOf([t, readFrom({ advantages: [0, 0, 0, 0, 0, 3] })], "advantage")).toEqual({
      low: -3,
      high: 3,
    });
    // Larger advantages in the batch make the shown ones look small.
    expect(rangeOf([readFrom({ largestAdvantage: 4 })], "advantage")).toEqual({ low: -4, high: 4 });
    const share = (color: string | undefined) => Number(/(\d+)%/.exec(color ?? "")?.[1]);
    const of = (largestAdvantage: number) =>
      share(colorFor("advantage", 1, "policy", rangeOf([readFrom({ largestAdvantage })], "advantage")));
    expect(of(4)).toBeLessThan(of(1));
    // Scales have a minimum extent.
    const sure = readFrom({ logProbs: [0, 0, -0.01, 0, 0, 0], entropies: [0, 0, 0.1, 0, 0, 0] });
    expect([rangeOf([sure], "log-probability"), rangeOf([sure], "entropy")]).toEqual([
      { low: -1, high: 0 },
      { low: 0, high: 0.5 },
    ]);
    expect(rangeOf([t], "log-probability")).toEqual({ low: -2, high: 0 });
    expect(gradientOf("advantage", { low: -1, high: 1 })).toMatch(/--bad.*transparent.*--good/);
  });

  it("has the turns of all roles where there are several", () => {
    const messages = [
      { role: "user", content: "c" },
      { role: "assistant", content: "it is c" },
      { role: "user", content: "it is c?" },
      { role: "assistant", name: "partner", content: "c" },
    ];
    const replies = [
      { message: 1, tokens: 3, logProb: -0.5, reward: 0 },
      { message: 3, role: "partner", tokens: 1, logProb: -2, reward: 0.5 },
    ];
    const turns = turnsOfAll(readFrom({ messages, replies }));
    expect(turns.map(({ speaker, isOwn, tokens }) => [speaker, isOwn, tokens])).toEqual([
      ["user", false, undefined],
      ["model", true, 3],
      ["user", false, undefined],
      ["partner", false, 1],
    ]);
    const seen = turnsOfAll(readFrom({ messages, replies, role: "partner" }));
    expect(seen.map(({ isOwn }) => isOwn)).toEqual([false, false, false, true]);
    // With a single role the tokens show all turns.
    expect(turnsOfAll(readFrom({ messages: messages.slice(0, 2), replies }))).toEqual([]);
    expect(turnsOfAll(readFrom({ messages: "x" }))).toEqual([]);
  });

  it("recognises special tokens", () => {
    const names = ["<|im_start|>", "<｜User｜>", "</s>", "<bos>", "<end_of_turn>", "[INST]"].map(specialName);
    expect(names).toEqual(["im_start", "User", "/s", "bos", "end_of_turn", "INST"]);
    expect(["<", "<b>", "|", "a<|b|>", "[0]", "⏎", "<script>"].map(specialName)).toEqual(
      Array(7).fill(undefined),
    );
  });

  it("is filtered by reward, length, task, author and words", () => {
    const text = {
      ...{ prompt: "Two plus two", answer: "4", reward: 0.5, tokens: 9, task: "sum", by: "policy" },
    } as TranscriptLine;
    for (const [filter, is] of [
      [{}, true],
      [{ words: "PLUS" }, true],
      [{ words: "minus" }, false],
      [{ reward: "0.6" }, false],
      [{ reward: "0.5", rewardTo: "1" }, true],
      [{ tokens: "10" }, false],
      [{ tokens: "9", tokensTo: "9" }, true],
      [{ tokensTo: "8" }, false],
      [{ task: "sum" }, true],
      [{ task: "su" }, false],
      [{ by: "teacher" }, false],
    ] as const)
      expect(matchesFilter(text, { ...noFilter, ...filter }), JSON.stringify(filter)).toBe(is);
  });

  it("is grouped with other samples of its problem, and has neighbours", () => {
    const texts = [0, 1, 1].map((reward, number) => ({
      ...{ number, step: 5, problem: "sum 7", prompt: "2+2", by: "policy", reward },
    }));
    const all = [
      ...texts,
      { ...texts[0], step: 6 },
      // Another problem with the same prompt, and another role of the same problem.
      { ...texts[0], problem: "sum 8" },
      { ...texts[0], role: "partner" },
    ] as TranscriptLine[];
    const group = groupOf(all, all[1]);
    expect(group.map(({ number }) => number)).toEqual([1, 0, 2]);
    expect(groupWords(group)).toBe("3 samples of the same problem, mean reward 0.667, maximum 1 (2 of 3)");
    expect(groupWords(group.slice(0, 1))).toContain("all with reward 1");
    expect([stepIn(all, all[1], 1), stepIn(all, all[5], 1), stepIn(all, undefined, -1)]).toEqual([
      all[2],
      undefined,
      all[0],
    ]);
  });
});

it("sliders range from a hundredth to a hundredfold, shares from 0 to 1", () => {
  const { low, high, of, at } = scaleFor(1e-3);
  expect([low, high, of(0.5), at(1e-3)]).toEqual([1e-5, 0.1, 1e-3, expect.closeTo(0.5, 9)]);
  expect([scaleFor(0.99).low, scaleFor(0.99).high, scaleFor(0.99).of(0.5)]).toEqual([0, 1, 0.5]);
  expect(scaleFor(0).high).toBe(1);
  expect(["3e-4", " −1 ", "", "abc", "0,2", "1e400"].map(numberIn)).toEqual([
    ...[3e-4, -1],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

it("formats numbers and times", () => {
  expect(
    [0, 180.13000000000002, -0.5, 1234567, 0.00012, Number.NaN, Number.POSITIVE_INFINITY, null].map(short),
  ).toEqual(["0", "180.1", "−0.5", "1.23e6", "1.20e−4", "NaN", "∞", "–"]);
  expect([0.5, 59, 61, 3700, 90_000, null].map(duration)).toEqual([
    "0.5 s",
    "59 s",
    "1 min 1 s",
    "1 h 2 min",
    "1 d 1 h",
    "–",
  ]);
  expect([0, 5e4, 1.25e6, 1.75e6, 1_234_567, 0.1 + 0.2].map(exact)).toEqual([
    ...["0", "50K", "1.25M", "1.75M", "1.234567M", "0.3"],
  ]);
  expect([3.4, 59.6, 1285, 5000, 200_000].map(left)).toEqual(["3 s", "1 min", "21 min", "1.4 h", "2.3 d"]);
  // Never 60 s or 60 min.
  expect([59.7, 119.7, 7199, 86_399].map(duration)).toEqual([
    "1 min 0 s",
    "2 min 0 s",
    "2 h 0 min",
    "1 d 0 h",
  ]);
});

it("finds the settings that a command sets, and flattens groups", () => {
  const typed = typedIn(
    "reins train ppo CartPole-v1 --steps 64 --ppo-steps 16 --learning-rate 3e-4 --popart",
    "ppo",
  );
  expect([...typed]).toEqual(["steps", "learningRate", "popart"]);
  expect([...typedIn("reins train ppo CartPole-v1 --steps 64 --seed 1", "ppo")]).toEqual([]);
  expect([...typedIn(undefined, "ppo")]).toEqual([]);
  const words =
    "reins train grpo ./kiosk.mjs --env-supervised-tokens 150 --env-layers=1 --no-clip-value --clip 0.1";
  expect([...typedIn(words, "grpo")]).toEqual(["clipValue", "clip"]);
  expect([...typedForEnv(words)]).toEqual(["supervisedTokens", "layers"]);
  expect(flat({ status: "finished", return: { mean: 3 }, rate: { signal: "linear" }, notes: [1] })).toEqual({
    ...{ status: "finished", "return.mean": 3, rate: { signal: "linear" }, notes: [1] },
  });
});

it("the URL stores the filter of transcripts", () => {
  const filter = { ...noFilter, words: "a & b", tokensTo: "9" };
  expect(filterQuery(filter)).toEqual({ words: "a & b", tokensTo: "9" });
  expect(filterIn(new URLSearchParams(filterQuery(filter)))).toEqual(filter);
  expect(filterQuery(noFilter)).toEqual({});
  const odd = new URLSearchParams({ reward: "abc", tokensTo: " ", by: "unknown", rewardTo: "-0.5" });
  expect(filterIn(odd)).toEqual({ ...noFilter, rewardTo: "-0.5" });
});

it("the URL stores names with any characters", () => {
  const names = ["a,b", "c%2Cd", "=e&f", "ü"];
  const query = new URLSearchParams(href(["compare"], { runs: joined(names) }).split("?")[1]);
  expect(split(query.get("runs"))).toEqual(names);
  expect(split(null)).toEqual([]);
});

it("settings are written as they are typed", () => {
  expect(settingText({ signal: "pi", of: "policy/kl", target: 0.01 })).toBe("pi(of=policy/kl, target=0.01)");
  expect([settingText([32, 32]), settingText("tanh"), settingText({ a: 1 })]).toEqual([
    "[32,32]",
    "tanh",
    '{"a":1}',
  ]);
});

it("observations and actions are curves, named by their labels", () => {
  const columns = {
    observation: { shape: [3, 2], data: [1, 10, 2, 20, 3, 30] },
    action: { shape: [3], data: [0, 1, "NaN"] },
    "observation.desired": { shape: [3, 1], data: [7, 8, 9] },
  };
  const bare = { columns, labels: {} };
  expect(curvesOf("observation", bare)).toEqual([
    { title: "observation 0", values: [1, 2, 3] },
    { title: "observation 1", values: [10, 20, 30] },
  ]);
  expect(curvesOf("action", bare)).toEqual([{ title: "action", values: [0, 1, Number.NaN] }]);
  expect(curvesOf("nothing", bare)).toEqual([]);
  const labels = { observation: ["angle", "speed"], action: ["left", "right"], "observation.desired": ["x"] };
  const titles = (name: string) => curvesOf(name, { columns, labels }).map(({ title }) => title);
  expect([titles("observation"), titles("observation.desired")]).toEqual([["angle", "speed"], ["desired x"]]);
  // The labels of a discrete action are those of its values.
  expect(curvesOf("action", { columns, labels })).toEqual([
    { title: "action", values: [0, 1, Number.NaN], names: ["left", "right"] },
  ]);
  // Labels of another number of components are not used.
  expect(curvesOf("observation", { columns, labels: { observation: ["angle"] } })[0].title).toBe(
    "observation 0",
  );
  expect(actionText([1], columns.action, labels.action)).toBe("right (1)");
  expect(actionText([0.5, -1], { shape: [3, 2], data: [] }, ["gas", "brake"])).toBe("0.5, −1");
});
