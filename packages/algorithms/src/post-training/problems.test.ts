import type { AlgorithmContext, Episode, Episodes, JudgedEpisode } from "@reins/core";
import { expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { groupProblems } from "./problems.ts";
import { settingsOf } from "./testing.ts";

it("allocation: the uncertain problem of a list gets more completions than the solved one", () => {
  const o = settingsOf(grpo, { groups: 2, groupSize: 8, allocation: "uncertain" });
  const context = { seed: 1, spec: { id: "list" } } as AlgorithmContext;
  const task = groupProblems(o, context, { problems: 2 } as Episodes);
  const first = task.next({} as never);
  const judged = first.flatMap(({ group, seed, groupSize }) =>
    Array.from({ length: groupSize }, (_, i): JudgedEpisode => {
      const reward = seed === 0 || i % 2 === 0 ? 1 : 0;
      return { episode: { group } as Episode, verdict: { reward }, reward };
    }),
  );
  task.observe?.(judged);
  expect(first.map((p) => p.groupSize)).toEqual([8, 8]);
  expect(task.epoch?.()).toBe(1);
  const next = task.next({} as never);
  expect(next.find((p) => p.seed === 1)?.groupSize).toBeGreaterThan(8);
  expect(next.reduce((sum, p) => sum + p.groupSize, 0)).toBe(16);
});
