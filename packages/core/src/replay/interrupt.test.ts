import type { Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { interrupt } from "../snapshot.ts";
import { nStep } from "./n-step.ts";
import type { EntryFormat } from "./record.ts";
import { replay } from "./replay.ts";
import { episodeReturns } from "./returns.ts";
import { fill, type TestStep, testGrid } from "./testing.ts";
import { windows } from "./windows.ts";

const formats: readonly [string, EntryFormat][] = [
  ["nStep", nStep({ steps: 3 })],
  ["windows", windows({ length: 4, overlap: 2 })],
  ["episodeReturns", episodeReturns({ gamma: () => 1 })],
];

/** Entries as their numbers, each column joined. */
function entriesOf(format: EntryFormat, moments: readonly (TestStep | "interrupt")[]): string[] {
  const grid = testGrid(1, { waits: true });
  const memory = replay({ capacity: 50, record: format })(grid, 4);
  for (const m of moments)
    if (m === "interrupt") interrupt({ parts: { memory } });
    else memory.add(fill(grid, [m]));
  const columns = Object.entries(memory.columns) as [string, Tensor][];
  return Array.from({ length: memory.size.data[0] }, (_, i) =>
    columns
      .map(([name, t]) => {
        const width = t.size / 50;
        return `${name} ${t.data.slice(i * width, (i + 1) * width).join()}`;
      })
      .join("; "),
  );
}

const later: readonly TestStep[] = [
  { at: 7, reward: 1, next: 8 },
  { at: 8, reward: 1, next: 9, nextAlive: false },
  { at: 9, reward: 1, next: 9, alive: false },
  { at: 9, reward: 1, next: 10, end: "terminated" },
];

it.each(formats)("%s: no entry spans an interruption", (_, format) => {
  const earlier: readonly TestStep[] = [
    { at: 1, reward: 100, next: 2 },
    { at: 2, reward: 100, next: 3, nextAlive: false },
  ];
  expect(entriesOf(format, [...earlier, "interrupt", ...later])).toEqual(entriesOf(format, later));
});
