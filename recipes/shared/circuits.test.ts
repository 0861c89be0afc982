import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { circuits } from "./circuit-task.ts";
import { execute, judged, passed } from "./circuits.ts";

const task = circuits({ slips: 0, lean: 0 });
const at = (a: number, b: number, c: number, d: number) => a + 2 * b + 4 * c + 8 * d;

it("runs programs on all 16 combinations of the inputs", () => {
  for (let test = 0; test < 16; test++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => (test >> i) & 1);
    const bit = (program: string) => (execute(program).output >> at(a, b, c, d)) & 1;
    expect(bit("&ab")).toBe(a & b);
    expect(bit("|cd>pa")).toBe((c | d) & (1 - a));
    expect(bit("^ab^pc^pq")).toBe(c);
  }
});

it("tells compile errors and run-time errors apart, with their place", () => {
  expect(execute("")).toMatchObject({ failure: "compile", at: [0, 0] });
  expect(execute("&ab|p|^qc")).toMatchObject({ failure: "compile", at: [3, 5] });
  expect(execute("&ab|pc=")).toMatchObject({ failure: "compile", at: [6, 7] });
  expect(execute("&ab|qc^pd")).toMatchObject({ failure: "runtime", at: [3, 6] });
  expect(execute("&ab".repeat(12))).toMatchObject({ failure: "runtime", at: [33, 36] });
});

it("counts the tests that are passed", () => {
  expect(passed(0xffff, 0xffff)).toBe(1);
  expect(passed(0x000f, 0x0000)).toBe(0.75);
  const wanted = execute("&ab").output;
  // Where a is 1 and b is 0, in four tests of sixteen, a is wrong.
  expect(judged("&aa", { wanted, reference: "&ab", needed: 1 })).toMatchObject({
    passed: 0.75,
    right: false,
  });
  expect(judged("&ba", { wanted, reference: "&ab", needed: 1 }).right).toBe(true);
  expect(judged("&a", { wanted: 0, reference: "", needed: 1 }).passed).toBe(0);
});

it("describes programs with references to earlier results, of which some are not needed", () => {
  const random = defaultRng(1);
  let fewer = 0;
  for (let i = 0; i < 200; i++) {
    const problem = task.make(random, 4);
    const { reference, needed, wanted } = problem.data as {
      reference: string;
      needed: number;
      wanted: number;
    };
    expect(reference).toHaveLength(15);
    expect(problem.answer).toBe(reference);
    expect(execute(reference).output).toBe(wanted);
    const shortest = circuits({ slips: 0, lean: 1 });
    const lean = shortest.make(defaultRng(i), 4);
    const own = lean.data as typeof problem.data & { wanted: number; needed: number };
    expect(lean.answer).toHaveLength(3 * own.needed);
    expect(execute(lean.answer).output).toBe(own.wanted);
    if (needed < 5) fewer++;
  }
  expect(fewer).toBeGreaterThan(60);
});

it("errs as often as its teacher", () => {
  const random = defaultRng(2);
  const noisy = circuits({ slips: 0.4, lean: 0 });
  const failures = Array.from({ length: 1000 }, () => {
    const { answer, data } = noisy.make(random, 1);
    const { failure, right } = judged(answer, data as Parameters<typeof judged>[1]);
    return failure ?? (right ? "right" : "wrong");
  });
  const share = (kind: string) => failures.filter((f) => f === kind).length / 1000;
  // 1 - 0.9 ** 2: a tenth of the statements does not compile.
  expect(share("compile")).toBeCloseTo(0.19, 1);
  expect(share("runtime")).toBeGreaterThan(0.1);
  expect(share("right")).toBeLessThan(0.6);
});
