import { type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { ReplayBuffer } from "../experience.ts";
import type { StepColumns } from "./record.ts";

/** One step of one row: observation (a number), action, reward, next observation, and how it ended. */
export interface TestStep {
  readonly at: number;
  readonly action?: number;
  readonly reward: number;
  readonly next: number;
  readonly end?: "terminated" | "truncated";
  readonly alive?: boolean;
  /** Whether the row acts in the following step (default: yes). */
  readonly nextAlive?: boolean;
}

/** A grid of one time step of `rows` rows, to be refilled. */
export function testGrid(
  rows: number,
  options: { alive?: boolean; waits?: boolean; state?: boolean } = {},
): StepColumns {
  const flag = () => zeros([1, rows], "bool");
  return {
    observation: zeros([1, rows, 1]),
    action: zeros([1, rows], "i32"),
    reward: zeros([1, rows]),
    terminated: flag(),
    truncated: flag(),
    next: zeros([1, rows, 1]),
    ...(options.alive || options.waits ? { alive: flag() } : {}),
    ...(options.waits ? { nextAlive: flag() } : {}),
    ...(options.state ? { first: flag(), state: { h: zeros([1, rows, 2]) } } : {}),
  };
}

/** Writes one time step into a grid. */
export function fill(grid: StepColumns, moment: readonly TestStep[]): Batch {
  const put = (t: Tree | undefined, row: number, value: number) => {
    if (t) (t as Tensor).data[row] = value;
  };
  moment.forEach((s, row) => {
    put(grid.observation, row, s.at);
    put(grid.action, row, s.action ?? 0);
    put(grid.reward, row, s.reward);
    put(grid.next, row, s.next);
    put(grid.terminated, row, s.end === "terminated" ? 1 : 0);
    put(grid.truncated, row, s.end === "truncated" ? 1 : 0);
    put(grid.alive, row, s.alive === false ? 0 : 1);
    put(grid.nextAlive, row, s.nextAlive === false ? 0 : 1);
  });
  return { columns: grid as never, index: { kind: "grid", time: 1, rows: moment.length } };
}

/** The entries of a replay as plain rows: [observation, reward, discount, next]. */
export function entries(replay: ReplayBuffer): number[][] {
  const { observation, reward, discount, next } = replay.columns as { [name: string]: Tensor };
  return Array.from({ length: replay.size.data[0] }, (_, i) =>
    [observation, reward, discount, next].map((t) => Math.round(t.data[i] * 1e4) / 1e4),
  );
}
