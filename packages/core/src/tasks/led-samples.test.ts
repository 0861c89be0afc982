import { expect, it } from "vitest";
import { Statistics } from "../statistics.ts";
import { endless, ledSamples } from "./index.ts";

const task = () =>
  endless({ seed: 1, groups: 2, groupSize: 5, more: { key: "sums", context: { level: 3 }, teachers: 1 } });

it("leads some samples of each group, and resumes exactly", () => {
  const led = ledSamples(task(), { a: 2, b: 1 });
  const batch = led.next(new Statistics());
  expect(
    batch.map(({ groupSize, context, teachers = 0 }) => [groupSize, context!.lead ?? "", teachers]),
  ).toEqual([
    [2, "", 1],
    [2, "a", 0],
    [1, "b", 0],
    [2, "", 1],
    [2, "a", 0],
    [1, "b", 0],
  ]);
  const [first, second] = [batch.slice(0, 3), batch.slice(3)];
  for (const group of [first, second])
    for (const play of group)
      expect(play).toMatchObject({ group: group[0].group, seed: group[0].seed, context: { level: 3 } });
  expect(second[0].group).not.toBe(first[0].group);
  const resumed = ledSamples(task(), { a: 2, b: 1 });
  resumed.restore!(led.save!());
  expect(resumed.next(new Statistics())).toEqual(led.next(new Statistics()));
});

it("leaves at least one sample free", () => {
  expect(() => ledSamples(task(), { a: 5 }).next(new Statistics())).toThrow(
    "ledSamples: 5 of 5 samples are led, so none is free.",
  );
});
