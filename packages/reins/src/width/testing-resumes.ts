import {
  type Algorithm,
  type AlgorithmContext,
  type CurrentPolicy,
  type Environment,
  type Process,
  Run,
  type RunOptions,
  type Snapshot,
  type Started,
  withSettings,
} from "@reins/core";
import { Tensor } from "@reins/tensor";
import { expect } from "vitest";

/** Two updates, a save, two more; then the same from the save in a new run: everything must be equal, and must have changed. */
export async function expectResumes(make: () => Run): Promise<Run> {
  const straight = make();
  const before = plain(straight.save());
  await rounds(straight, 2);
  const saved = straight.save();
  const middle = plain(saved);
  await rounds(straight, 2);
  const resumed = make();
  resumed.restore(saved);
  expect(plain(resumed.save())).toEqual(middle);
  await rounds(resumed, 2);
  expect(plain(resumed.save())).toEqual(plain(straight.save()));
  expect(resumed.metrics).toEqual(straight.metrics);
  expect(middle).not.toEqual(before);
  return straight;
}

async function rounds(run: Run, n: number): Promise<void> {
  for (let i = 0; i < n; i++) await run.round();
}

/** A run of an inline algorithm. */
export function runOf(
  start: (context: AlgorithmContext) => Started | Process,
  options: Partial<RunOptions> = {},
): Run {
  const algorithm: Algorithm = {
    name: "width",
    options: {},
    start: (context) => {
      const process = start(context);
      return "settings" in process ? process : withSettings(process, {});
    },
  };
  return new Run({ algorithm, env: nowhere, steps: 1_000_000, seed: 7, ...options });
}

/** The acting policy of a process. */
export function actingOf({ acting }: Pick<Process, "acting">): CurrentPolicy {
  return acting ?? expect.unreachable();
}

/** For algorithms with their own environments. */
const nowhere: Environment = {
  spec: {
    id: "Nowhere-v0",
    observation: { kind: "discrete", n: 1, start: 0 },
    action: { kind: "discrete", n: 2, start: 0 },
  },
};

/** Snapshots as plain data, for comparison. */
function plain(s: Snapshot): unknown {
  if (s instanceof Tensor) return Array.from(s.data);
  if (ArrayBuffer.isView(s)) return Array.from(s as Float32Array);
  if (Array.isArray(s)) return s.map(plain);
  if (typeof s === "object" && s !== null)
    return Object.fromEntries(Object.entries(s).map(([k, v]) => [k, plain(v as Snapshot)]));
  return s;
}
