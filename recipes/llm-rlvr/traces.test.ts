import type { Episode, JudgedEpisode, Task, TaskItem } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { rounds } from "../shared/rounds.ts";
import { countTraces, learningHints, tracedSteps } from "../shared/traces.ts";
import { traceOf, tracesTask } from "../testbeds/traces.ts";
import { injected, resultOnly } from "./ampo-multi-guidance.parts.ts";
import { guided, nextLength } from "./g2rpo-a.parts.ts";
import { refined } from "./ghpo.parts.ts";
import { mixtureWeight, novelty } from "./rl-plus.parts.ts";
import { stepwise, supervisedShare } from "./sasr.parts.ts";
import { accuracyAt, halfwayHint } from "./seele.parts.ts";

const statistics = new Statistics();
const maker = (name: (typeof makers)[number]) => makers.indexOf(name);

/** An episode whose steps have these makers. */
const episode = (by: readonly (typeof makers)[number][] = ["policy"], group = ""): Episode => ({
  columns: { by: tensor(Uint8Array.from(by, maker), { dtype: "u8" }) },
  segments: [],
  terminated: true,
  truncated: false,
  return: [],
  group,
});
const judged = (group: string | undefined, reward: number): JudgedEpisode => ({
  episode: episode(["policy"], group),
  verdict: { reward },
  reward,
});
const problem: TaskItem = { key: "p", groupSize: 2, context: { level: 3 } };
const one: Task = { next: () => [problem] };
const byOf = ({ columns }: Episode) => [...(columns.by as Tensor).data].map((m) => makers[m]);

describe("traces", () => {
  it("are partial sums in the order of a teacher, and all teachers end with the same letter", () => {
    expect(traceOf("3121=", "left")).toBe("cdfg");
    expect(traceOf("3121=", "right")).toBe("acdg");
    expect(traceOf("3121=", "up")).toBe("abdg");
    expect(traceOf("3121=", "down")).toBe("cefg");
    const right = { prompt: "3121=", answer: "cdfg", level: 2, data: { last: "g", terms: 4 } };
    expect(tracesTask.verify(right, "cefg")).toEqual({ score: 1 });
    expect(tracesTask.led!(right, "up").answer).toBe("abdg");
  });

  it("count towards the budget, as hints and as demonstrations", () => {
    const given = episode(["environment", "hint", "hint", "policy"]);
    const shown = episode(["environment", "teacher", "teacher", "teacher"]);
    expect([given, shown].map(tracedSteps)).toEqual([2, 3]);
    const source = countTraces({
      steps: 10,
      next: () => [given, shown],
      save: () => null,
      restore: () => {},
    });
    source.next();
    expect(source.steps).toBe(15);
    source.next();
    expect(source.steps).toBe(20);
    expect(byOf(learningHints([{ ...judged("", 1), episode: given }])[0].episode)).toEqual([
      "environment",
      "teacher",
      "teacher",
      "policy",
    ]);
  });
});

describe("rounds", () => {
  it("ask again until every problem is done, and choose from all samples of a problem", () => {
    const { task, selection } = rounds(one, {
      next: (s) => (s.rounds.length < 3 ? problem : undefined),
      choose: (s) => [s.rounds[1][0], s.rounds[2][1]],
    });
    const seen: JudgedEpisode[] = [];
    for (let round = 0; round < 3; round++) {
      const [{ group }] = task.next(statistics);
      seen.push(judged(group, round), judged(group, 10 + round));
      const chosen = selection.select(seen);
      expect(chosen?.map((j) => j.reward)).toEqual(round < 2 ? undefined : [1, 12]);
      if (chosen) expect(new Set(chosen.map((j) => j.episode.group)).size).toBe(1);
    }
  });

  it("of GHPO lengthen the hint until a sample succeeds", () => {
    const { task, selection } = refined(one, [0.25, 0.5, 0.75]);
    const seen: JudgedEpisode[] = [];
    const hints: unknown[] = [];
    let chosen: readonly JudgedEpisode[] | undefined;
    while (!chosen) {
      const [{ group, context }] = task.next(statistics);
      hints.push(context?.hint);
      seen.push(judged(group, 0), judged(group, hints.length === 3 ? 1 : 0));
      chosen = selection.select(seen);
    }
    expect(hints).toEqual([undefined, 0.25, 0.5]);
    expect(chosen.map((j) => j.reward)).toEqual([0, 1]);
    const [{ group }] = task.next(statistics);
    expect(selection.select([judged(group, 1), judged(group, 0)])).toHaveLength(2);
  });

  it("of AMPO replace two samples with the best traces, where no sample succeeds", () => {
    const wide: TaskItem = { ...problem, groupSize: 4 };
    let score = 0;
    const { task, selection } = injected({ next: () => [wide] }, () => [0.1, 0.7, 0.9, 0.2][score++]);
    const first = task.next(statistics)[0];
    const seen = [0, 0, 0, 0].map((reward) => judged(first.group, reward));
    const leads: unknown[] = [];
    let chosen = selection.select(seen);
    while (!chosen) {
      const [item] = task.next(statistics);
      expect([item.groupSize, item.teachers]).toEqual([0, 1]);
      leads.push(item.context?.lead);
      seen.push(judged(item.group, leads.length));
      chosen = selection.select(seen);
    }
    expect(leads).toEqual(["left", "right", "up", "down"]);
    expect(chosen.map((j) => j.reward)).toEqual([0, 0, 3, 2]);
    const [{ group }] = task.next(statistics);
    expect(selection.select([0, 1, 0, 0].map((r) => judged(group, r)))).toHaveLength(4);
    const by = byOf(resultOnly(episode(["environment", "teacher", "teacher", "teacher"])));
    expect(by).toEqual(["environment", "environment", "teacher", "environment"]);
  });
});

describe("G²RPO-A", () => {
  it("shortens guidance in proportion while accuracy rises, and lengthens it when accuracy falls", () => {
    expect(nextLength(6, 0.2, 0.3, 9)).toBe(4);
    expect(nextLength(6, 0.2, 0.15, 9)).toBe(8);
    expect(nextLength(6, 0.4, 0.1, 9)).toBe(9);
    expect(nextLength(2, 0.1, 0.9, 9)).toBe(1);
    expect(nextLength(6, 0, 0.3, 9)).toBe(6);
  });

  it("guides one sample in six, and changes the length after every third update", () => {
    const task = guided({ next: () => [{ ...problem, groupSize: 6 }] });
    const letters = () => {
      const [free, led] = task.next(statistics);
      expect([free.groupSize, led.groupSize, free.group === led.group]).toEqual([5, 1, true]);
      return Math.floor(Number(led.context?.hint) * 5);
    };
    expect(letters()).toBe(4);
    // Accuracies 1/2, 1/2 and 1: five tokens become two.
    for (const rewards of [
      [0, 1],
      [1, 0],
      [1, 1],
    ])
      task.observe!(rewards.map((r) => judged("", r)));
    expect(letters()).toBe(2);
  });
});

describe("SASR", () => {
  it("is supervised with a probability that falls with the gradient norm", () => {
    expect(supervisedShare(2, 2)).toBe(0.5);
    expect(supervisedShare(1, 3)).toBe(0.25);
  });

  it("imitates during the warm-up, and then as often as the norms say", () => {
    const measured = new Statistics();
    measured.record("gradient/norm", 1e-9);
    const kinds = (norm: number) => {
      const task = stepwise(one, { warmup: 2 }, 0);
      return Array.from({ length: 20 }, (_, i) => {
        // The norm of the last step of the warm-up is 1.
        measured.record("gradient/norm", i <= 2 ? 1 : norm);
        const [{ groupSize, teachers }] = task.next(measured);
        return groupSize === 0 && teachers === 1;
      });
    };
    expect(kinds(1).slice(0, 2)).toEqual([true, true]);
    const late = (norm: number) => kinds(norm).slice(3).filter(Boolean).length;
    expect(late(1e9)).toBeGreaterThanOrEqual(late(1));
    expect(late(1)).toBeGreaterThan(late(1e-9));
  });
});

it("RL-PLUS weighs a trace's tokens by a mixture, and likely tokens less", () => {
  const log = (p: number) => tensor(Float32Array.of(Math.log(p)));
  // 2 · 0.5 / (0.25 + 1.25 / 2) = 8 / 7; a rare token, 2 · 0.01 / (0.01 + 1.01 / 2), keeps a weight above its probability.
  expect(mixtureWeight(log(0.5), log(0.25)).data[0]).toBeCloseTo(8 / 7, 5);
  expect(mixtureWeight(log(0.01), log(0.01)).data[0]).toBeCloseTo(0.02 / 0.515, 5);
  expect(novelty(log(0.75)).data[0]).toBeCloseTo(0.5, 4);
  expect(novelty(log(1)).data[0]).toBeLessThan(0.01);
});

describe("SEELE", () => {
  it("follows the three-parameter logistic curve", () => {
    expect(accuracyAt(0.5, { slope: 4, middle: 0.5, guess: 0 })).toBeCloseTo(0.5, 12);
    expect(accuracyAt(0.5, { slope: 4, middle: 0.5, guess: 0.2 })).toBeCloseTo(0.6, 12);
  });

  it("gives longer hints after failures and shorter ones after successes", () => {
    const at = (hint: number, solved: number) => ({ hint, solved, samples: 4 });
    const failed = halfwayHint([at(0, 0)]);
    expect(failed).toBeGreaterThan(0.2);
    expect(halfwayHint([at(0, 0), at(0.5, 0)])).toBeGreaterThan(0.5);
    expect(halfwayHint([at(0, 0), at(0.5, 4)])).toBeLessThan(0.5);
    expect(halfwayHint([at(0, 4)])).toBe(0);
    expect(halfwayHint([at(0, 0), at(0.5, 2), at(1, 4)])).toBeCloseTo(0.5, 1);
  });
});
