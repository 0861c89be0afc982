import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { letters } from "./letters.ts";

it("letters: one more than the level, sorted", () => {
  for (let level = 1; level <= letters.levels; level++) {
    const problem = { ...letters.make(defaultRng(level), level), level };
    expect(problem.prompt.length).toBe(level + 2);
    expect([...problem.prompt.slice(0, -1)].sort().join("")).toBe(problem.answer);
    expect(letters.verify(problem, problem.answer)).toMatchObject({ score: 1 });
    expect(letters.verify(problem, `${problem.answer}a`)).toMatchObject({ score: 0 });
  }
});
