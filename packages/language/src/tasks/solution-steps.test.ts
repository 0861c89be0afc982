import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { digitSums, overthoughtSums, workedDigitSums } from "./digit-sums.ts";
import { sampleProblem } from "./sample-problem.ts";
import type { Verification } from "./text-task.ts";

const problem = { prompt: "3485........=", answer: "#0", data: { value: "0" }, level: 3 };
const judged = (text: string) => workedDigitSums.verify(problem, text) as Verification;

it("judges the part after the last mark, whatever the steps", () => {
  for (const right of ["#0", "375#0", "3750#0", "375000000000#0", "999#0", "#1#0", "# 0\n"])
    expect(judged(right), right).toEqual({ score: 1, wellFormed: true });
  for (const wrong of ["#1", "3750#1", "#0#1"])
    expect(judged(wrong)).toMatchObject({ score: 0, wellFormed: true });
  for (const unformed of ["0", "3750", "#", "#0#", ""])
    expect(judged(unformed)).toMatchObject({ score: 0, wellFormed: false });
});

it("a teacher shows any number of steps, from none to all, and they are the partial sums", () => {
  const seen = new Set<number>();
  for (let i = 0; i < 400; i++) {
    const p = sampleProblem(workedDigitSums, 1 + (i % 9), "train", i);
    const [work, last] = p.answer.split("#");
    expect(judgedBy(p, p.answer)).toBe(1);
    let sum = 0;
    const sums = [...p.prompt.slice(0, 12)].map((c) => (sum = (sum + (Number(c) || 0)) % 10)).join("");
    expect(sums.startsWith(work)).toBe(true);
    expect(last).toBe(`${sum}`);
    seen.add(work.length);
  }
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => i));
});

it("keeps its alphabet and its lengths, and rejects near misses", () => {
  const alphabet = new Set(workedDigitSums.alphabet);
  expect(alphabet.size).toBe(workedDigitSums.alphabet.length);
  expect(workedDigitSums.longest).toEqual({ prompt: 13, answer: 14 });
  for (let i = 0; i < 200; i++) {
    const p = sampleProblem(workedDigitSums, 1 + (i % 9), "test", i);
    expect([...p.prompt, ...p.answer].every((c) => alphabet.has(c))).toBe(true);
    expect(p.prompt.length).toBe(13);
    expect(p.prompt.replace(/[.=]/g, "").length).toBe(p.level + 1);
    expect(p.answer.length).toBeLessThanOrEqual(14);
    for (const near of workedDigitSums.nearMisses!(p, defaultRng(i))) {
      // 00 is another spelling of 0.
      const last = /#([0-9]+)$/.exec(near);
      expect(judgedBy(p, near), near).toBe(last && Number(last[1]) === Number(p.data.value) ? 1 : 0);
    }
  }
});

it("has the same prompts as without steps", () => {
  const plain = digitSums.make(defaultRng(5), 4);
  const { answer, ...rest } = workedDigitSums.make(defaultRng(5), 4);
  expect({ ...rest, answer: answer.slice(answer.indexOf("#") + 1) }).toEqual(plain);
});

function judgedBy(
  p: { prompt: string; answer: string; data: { value: string }; level: number },
  text: string,
) {
  return (workedDigitSums.verify(p, text) as Verification).score;
}

it("a teacher that overthinks usually continues after the last digit", () => {
  const shown = Array.from({ length: 400 }, (_, i) => {
    const p = sampleProblem(overthoughtSums, 1 + (i % 5), "train", i);
    const [work, last] = p.answer.split("#");
    const sum = [...p.prompt].reduce((s, c) => s + (Number(c) || 0), 0) % 5;
    expect(last).toBe(`${sum}`);
    expect((overthoughtSums.verify(p, p.answer) as Verification).score).toBe(1);
    return work.length - (p.level + 1);
  });
  expect(shown.filter((n) => n > 0).length).toBeGreaterThan(200);
  expect(shown.some((n) => n < 0)).toBe(true);
});
