import { expect, it } from "vitest";
import { SkillField } from "./skill-field.ts";

it("is learned from its corner on, skill by skill, and only where it is learnable", () => {
  const field = new SkillField({ size: 4, learnable: 2, exercises: 4 });
  const give = (x: number, y: number, times: number) =>
    Array.from({ length: times }, () => field.practise([x, y])).at(-1);
  expect(give(0.3, 0, 5)).toBe(0);
  expect(give(0, 0, 3)).toBe(0.75);
  expect(give(0.3, 0, 1)).toBe(0.25);
  expect(give(0.3, 0, 10)).toBe(1);
  expect(give(0.6, 0, 10)).toBe(0);
  expect(field.mastered).toBe(0.25);
});
