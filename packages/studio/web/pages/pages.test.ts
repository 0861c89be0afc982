import { describe, expect, it } from "vitest";
import type { RunDetail, RunLine, TranscriptLine } from "../../src/wire.ts";
import { settingText } from "../parts/setting-text.ts";
import { href, joined, split } from "../route.ts";
import { colorFor, numberFor, passagesOf, type Transcript } from "../transcripts/transcript.ts";
import { duration, short } from "../words.ts";
import { differences, groupsOf, usualGroups } from "./compare/groups.ts";
import { scaleFor } from "./run/setting-slider.tsx";
import { allOf, wished } from "./run/transcript-filter.ts";
import { matches } from "./runs/filter.ts";
import { byColumn, sortIn } from "./runs/sort.ts";

const line = (more: Partial<RunLine>): RunLine => ({
  ...{
    name: "ppo-CartPole-v1-1",
    state: "finished",
    algorithm: "ppo",
    env: "CartPole-v1",
    seed: 3,
    given: "--learning-rate 3e-4",
    steps: 1,
  },
  ...{
    budget: 2,
    return: null,
    fresh: null,
    seconds: 1,
    stepsPerSecond: 1,
    left: null,
    created: "",
    tags: ["best"],
    note: "",
  },
  ...more,
});

describe("the list of runs", () => {
  it("is filtered by words and fields", () => {
    const run = line({});
    for (const words of [
      "",
      "learning-rate 3e-4",
      "cartpole",
      "PPO cart",
      "state:fin",
      "tag:best",
      "seed:3",
      "env:pole algorithm:ppo",
    ])
      expect(matches(run, words), words).toBe(true);
    for (const words of ["dqn", "state:running", "tag:worst", "seed:30", "ppo lunar"])
      expect(matches(run, words), words).toBe(false);
  });

  it("is sorted, with what is not known last", () => {
    const runs = [
      line({ name: "a", return: 1 }),
      line({ name: "b" }),
      line({ name: "c", return: 0, fresh: 5 }),
    ];
    const by = (down: boolean) => [...runs].sort(byColumn("return", down)).map(({ name }) => name);
    expect([by(true), by(false)]).toEqual([
      ["c", "a", "b"],
      ["a", "c", "b"],
    ]);
    const names = ["run-10", "run-9"].map((name) => line({ name })).sort(byColumn("name", false));
    expect(names.map(({ name }) => name)).toEqual(["run-9", "run-10"]);
  });
});

describe("a comparison", () => {
  const run = (name: string, seed: number, rate: unknown) =>
    ({
      ...line({ name }),
      config: { seed, algorithm: "ppo", env: "e", steps: 9, options: { rate, other: 1 }, envOptions: {} },
    }) as unknown as RunDetail;
  const fall = { signal: "linear", from: 0.1, to: 0 };
  const runs = [run("a", 1, 0.1), run("b", 2, 0.1), run("c", 1, fall)];

  it("is of what differs", () => {
    expect(differences(runs)).toEqual([
      { name: "seed", values: ["1", "2", "1"] },
      { name: "rate", values: ["0.1", "0.1", "linear(0.1, 0)"] },
    ]);
  });

  it("groups seeds of the same settings, or by any setting", () => {
    const names = (by: string) =>
      groupsOf(runs, by).map(({ label, runs }) => [label, runs.map(({ name }) => name).join()]);
    expect(names("none")).toEqual([
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
    ]);
    expect(names("seed")).toEqual([
      ["rate 0.1", "a,b"],
      ["rate linear(0.1, 0)", "c"],
    ]);
    expect(names("other")).toEqual([["other 1", "a,b,c"]]);
    expect([usualGroups(runs), usualGroups(runs.slice(0, 1))]).toEqual(["seed", "none"]);
    expect(groupsOf(runs.slice(0, 2), "seed")).toEqual([
      { label: "ppo on CartPole-v1", runs: runs.slice(0, 2) },
    ]);
  });
});

describe("a transcript", () => {
  const t = {
    tokens: ["a", "?", "x", "y", "7", "z"],
    makers: ["hint", "hint", "policy", "policy", "tool", "policy"],
    turns: [0, 0, 1, 1, 0, 2],
    segments: [{ from: 0, to: 6 }],
    logProbs: [0, 0, -0.5, -2, 0, -0.1],
    rewards: [0, 0, 0, 0, 0, 1],
    advantages: [0, 0, 0.5, -1, 9, 1],
  } as unknown as Transcript;

  it("is passages, each by one hand", () => {
    expect(passagesOf(t).map(({ maker, from, to }) => [maker, from, to])).toEqual([
      ["hint", 0, 2],
      ["policy", 2, 4],
      ["tool", 4, 5],
      ["policy", 5, 6],
    ]);
  });

  it("colours what was learned from, and nothing else", () => {
    const numbers = (tint: Parameters<typeof numberFor>[1]) => t.tokens.map((_, i) => numberFor(t, tint, i));
    expect(numbers("advantage")).toEqual([undefined, undefined, 0.5, -1, undefined, 1]);
    expect(numbers("log-probability")).toEqual([undefined, undefined, -0.5, -2, undefined, -0.1]);
    expect(numbers("reward")).toEqual([undefined, undefined, undefined, undefined, undefined, 1]);
    expect(colorFor("advantage", 1, "policy", 1)).toContain("--good");
    expect(colorFor("advantage", -1, "policy", 1)).toContain("--bad");
    expect(colorFor("advantage", undefined, "tool", 1)).toBeUndefined();
    expect(colorFor("provenance", undefined, "policy", 0)).toContain("--accent");
  });

  it("is found by reward, length, task and words", () => {
    const text = {
      prompt: "Two plus two",
      answer: "4",
      reward: 0.5,
      tokens: 9,
      task: "sum",
    } as TranscriptLine;
    for (const [wish, is] of [
      [{}, true],
      [{ words: "PLUS" }, true],
      [{ words: "minus" }, false],
      [{ reward: "0.6" }, false],
      [{ reward: "0.5", rewardTo: "1" }, true],
      [{ tokens: "10" }, false],
      [{ task: "sum" }, true],
      [{ task: "su" }, false],
    ] as const)
      expect(wished(text, { ...allOf, ...wish }), JSON.stringify(wish)).toBe(is);
  });
});

it("sliders go from a hundredth to a hundredfold, shares from 0 to 1", () => {
  const { low, high, of, at } = scaleFor(1e-3);
  expect([low, high, of(0.5), at(1e-3)]).toEqual([1e-5, 0.1, 1e-3, expect.closeTo(0.5, 9)]);
  expect([scaleFor(0.99).low, scaleFor(0.99).high, scaleFor(0.99).of(0.5)]).toEqual([0, 1, 0.5]);
  expect(scaleFor(0).high).toBe(1);
});

it("numbers are short, times are read at a glance", () => {
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
  // Never sixty of what sixty make one of.
  expect([59.7, 119.7, 7199, 86_399].map(duration)).toEqual([
    "1 min 0 s",
    "2 min 0 s",
    "2 h 0 min",
    "1 d 0 h",
  ]);
});

it("names in an address are told apart, whatever is in them", () => {
  const names = ["a,b", "c%2Cd", "=e&f", "ü"];
  const query = new URLSearchParams(href(["compare"], { runs: joined(names) }).split("?")[1]);
  expect(split(query.get("runs"))).toEqual(names);
  expect(split(null)).toEqual([]);
});

it("an address says how the list is sorted", () => {
  expect(sortIn("-steps")).toEqual({ key: "steps", down: true });
  expect(sortIn("name")).toEqual({ key: "name", down: false });
  for (const text of [null, "", "nonsense", "-constructor"])
    expect(sortIn(text)).toEqual({ key: "created", down: true });
});

it("settings are written as they are typed", () => {
  expect(settingText({ signal: "pi", of: "policy/kl", target: 0.01 })).toBe("pi(of=policy/kl, target=0.01)");
  expect([settingText([32, 32]), settingText("tanh"), settingText({ a: 1 })]).toEqual([
    "[32,32]",
    "tanh",
    '{"a":1}',
  ]);
});
