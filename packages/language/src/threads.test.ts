import { expect, it } from "vitest";
import { threads } from "./threads.ts";

const serve = `(require, { factor }) => async (job) => {
  if (job === "loop") for (;;);
  if (job === "exit") process.exit();
  if (job === "throw") throw new Error("no");
  return { value: job * factor };
}`;

it("answers every job, whatever happens to the others", async () => {
  const ask = threads<number | string, { value: number }>({ serve, data: { factor: 3 }, milliseconds: 3000 });
  expect(await ask(2)).toEqual({ value: 6 });
  const jobs = ["loop", 1, "exit", 2, "throw", 3, 4, 5];
  expect(await Promise.all(jobs.map(ask))).toEqual([
    "timeout",
    { value: 3 },
    "died",
    { value: 6 },
    "died",
    { value: 9 },
    { value: 12 },
    { value: 15 },
  ]);
  expect(await ask(7)).toEqual({ value: 21 });
});

it("reports a thread that did not start", async () => {
  const ask = threads({ serve: "() => { throw new Error('no'); }", data: {}, milliseconds: 3000 });
  expect(await ask(1)).toBe("died");
});
