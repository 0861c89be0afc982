import type { TaskItem } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import { expect, it } from "vitest";
import { right, wrong } from "../shared/testing-answers.ts";
import { adaCot, needsReasoning, reward, withoutDecisions } from "./adacot.parts.ts";

it("penalises missing and needless reasoning in the second stage, the format in both", () => {
  const [short, long] = [{ context: { level: 1 } }, { context: { level: 6 } }];
  const answers = [
    right(3, { ...short, text: "#a" }),
    right(6, { ...short, text: "abc#c" }),
    right(3, { ...long, text: "#a" }),
    right(9, { ...long, text: "abcabc#c" }),
    wrong(14, { ...long, text: "abcabcabcabcab" }),
  ];
  const close = (stage: 1 | 2, expected: readonly number[]) =>
    answers.forEach((a, i) => expect(reward(a, stage)).toBeCloseTo(expected[i], 12));
  close(1, [1, 1, 1, 1, -1]);
  close(2, [1, 0.7, 0.8, 1, -1]);
});

it("leaves the first step of each answer out of the loss", () => {
  const by = ["environment", "environment", "policy", "policy", "environment", "policy"] as const;
  const indices = by.map((maker) => makers.indexOf(maker));
  const advantage = Float32Array.of(1, 1, 1, 1, -2, -2);
  expect([...withoutDecisions(indices, advantage)]).toEqual([1, 1, 0, 1, -2, 0]);
});

it("begins with problems that need reasoning, in batches of equal size", () => {
  const levels = [1, 4, 2, 5, 3, 6];
  const batch = levels.map((level): TaskItem => ({ key: `${level}`, groupSize: 2, context: { level } }));
  const { task } = adaCot({ tokens: 100, masks: true })({ next: () => batch });
  for (let i = 0; i < 2; i++) {
    const next = task.next(new Statistics());
    expect(next).toHaveLength(6);
    expect(next.every((p) => needsReasoning(p.context?.level))).toBe(true);
  }
  const all = adaCot({ tokens: 0, masks: true })({ next: () => batch });
  expect(all.task.next(new Statistics())).toBe(batch);
});
