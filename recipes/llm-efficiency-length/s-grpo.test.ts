import type { Episode, RolloutInput } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import { characters, newModel, textStage } from "@reins/language";

import { random, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { right, wrong } from "../shared/testing-answers.ts";
import { lengthsTask, longest } from "../testbeds/lengths.ts";
import { decaying, exitsOf, serialGroups } from "./s-grpo.parts.ts";

it("halves the reward with each correct answer", () => {
  const group = [wrong(4), right(5), wrong(6), right(8), right(9)];
  expect(decaying(group)).toEqual([0, 1, 0, 0.5, 0.25]);
  expect(decaying([wrong(3), wrong(9)])).toEqual([0, 0]);
});

it("leaves the reasoning at uniform positions, in order", () => {
  const uniform = (values: readonly number[]) => {
    let i = 0;
    return () => values[i++];
  };
  const exits = (path: readonly number[], most = 11) =>
    exitsOf(path, 9, { count: 3, most, uniform: uniform([0.99, 0, 0.5]) });
  // Four tokens of reasoning before the mark.
  expect(exits([1, 2, 3, 4, 9, 4])).toEqual([1, 3, 4]);
  expect(exits([1, 2, 3, 4], 2)).toEqual([1, 2, 2]);
  expect(exits([9, 4])).toEqual([]);
});

it("continues prefixes of one path, and counts shared tokens once", () => {
  const tokenizer = characters(lengthsTask.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 32, vocabulary: tokenizer.size, style: "llama" },
    random.key(1),
  );
  const options = { task: lengthsTask, level: 1, start, tokenizer, rows: 8 };
  const items = [1, 2, 3, 4].map((seed) => ({ key: "p", seed, groupSize: 3, context: { level: 2 } }));
  const source = serialGroups(options)({
    policy: textStage(options).policy,
    weights: start.params as never,
    task: { next: () => items },
    statistics: new Statistics(),
    key: random.key(3),
    version: () => 0,
  } as RolloutInput);
  const [mark] = tokenizer.encode("#");
  const answers = (source.next() as readonly Episode[]).map(({ columns, group }) => {
    const { action, by } = columns as { [name: string]: Tensor };
    return { group, tokens: [...action.data].filter((_, i) => makers[by.data[i]] === "policy") };
  });
  let counted = 0;
  for (const group of ["0/0", "0/1", "0/2", "0/3"]) {
    const own = answers.filter((a) => a.group === group).map((a) => a.tokens);
    const path = own[own.length - 1];
    counted += path.length;
    for (const exit of own.slice(0, -1)) {
      const at = exit.indexOf(mark);
      expect(at).toBeGreaterThan(0);
      expect(exit.slice(0, at)).toEqual(path.slice(0, at));
      expect(exit.length).toBeLessThanOrEqual(longest);
      counted += exit.length - at;
    }
  }
  expect(answers.length).toBeGreaterThan(4);
  expect(source.steps).toBe(counted);
});
