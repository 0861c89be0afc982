import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tensor, tensor } from "@reins/tensor";
import type { Algorithm, Metrics } from "../algorithm.ts";
import { Run } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import { isNumberArray } from "../snapshot.ts";
import { disk, type Files } from "./files.ts";

/** A folder that `done` removes. */
export function scratch(): { path: string; done: () => void } {
  const path = fs.mkdtempSync(join(tmpdir(), "reins-directory-"));
  return { path, done: () => fs.rmSync(path, { recursive: true, force: true }) };
}

/** A chaotic process: one wrong bit anywhere in its state and everything after differs. */
export function chaos({ size = 8, work = 0, name = "chaos" } = {}): Algorithm {
  return {
    name,
    options: { size },
    start({ seed }) {
      const wide = Float64Array.from({ length: size }, (_, i) => 0.3 + 0.01 * i + seed * 1e-3);
      const weights = tensor(new Float32Array(size).fill(0.5), { shape: [size / 2, 2] });
      const counter = { steps: 0, last: Number.NaN };
      const metrics: Metrics = {};
      return {
        get steps() {
          return counter.steps;
        },
        settings: {},
        parts: { wide, weights, counter },
        step() {
          for (let k = 0; k <= work; k++)
            for (let i = 0; i < size; i++) {
              wide[i] = 3.99 * wide[i] * (1 - wide[i]);
              weights.data[i] += wide[(i + 1) % size] - 0.5;
            }
          metrics["return/mean"] = counter.steps < 64 ? Number.NaN : wide[0];
          metrics["loss/total"] = weights.data[1];
          metrics["loss/before"] = counter.last;
          counter.last = wide[1];
          counter.steps += 16;
          return metrics;
        },
      };
    },
  };
}

/** A run of {@link chaos}. */
export function chaosRun(steps: number, options: Parameters<typeof chaos>[0] & { env?: string } = {}): Run {
  const { env = "Nothing-v0", ...rest } = options;
  const spec = { id: env } as RunOptions["env"]["spec"];
  const make = () => {
    throw new Error("has no environment");
  };
  return new Run({ algorithm: chaos(rest), env: { spec, make }, steps, seed: 1 });
}

/** Configuration of {@link chaosRun}. */
export const settings = (steps: number) =>
  ({ algorithm: "chaos", options: { size: 8 }, env: "Nothing-v0", steps, seed: 1 }) as const;

/**
 * A disk with a limit on bytes and operations. Beyond it, writing fails with `code`, after the bytes that still fit; without a code,
 * operations have no effect, as when a process is killed. Syncing is skipped for speed.
 */
export function limited(budget: number, code?: string): Files & { left: number } {
  const state = { left: budget };
  const spend = (n: number) => {
    if (n <= state.left) state.left -= n;
    else throw Object.assign(new Error(code ?? "killed"), { code });
  };
  const real = disk as unknown as Record<string, (...args: unknown[]) => unknown>;
  const fallible = Object.fromEntries(
    Object.keys(real)
      .filter((name) => name.endsWith("Sync"))
      .map((name) => [
        name,
        (...args: unknown[]) => {
          if (!code) spend(1);
          return name === "fsyncSync" ? undefined : real[name](...args);
        },
      ]),
  ) as unknown as Files;
  const writeSync = (fd: number, bytes: Uint8Array, from: number, length: number) => {
    const fits = Math.min(length, state.left);
    if (fits > 0) fs.writeSync(fd, bytes, from, fits);
    if (fits === length) state.left -= length;
    else {
      state.left = 0;
      spend(1);
    }
    return length;
  };
  return Object.assign(state, fallible, { writeSync: writeSync as Files["writeSync"] });
}

/** State in a form that test comparisons see completely: types, shapes, the sign of zero. */
export function visible(x: unknown): unknown {
  if (x instanceof Tensor) return { tensor: x.dtype, shape: [...x.shape], data: Array.from(x.data) };
  if (isNumberArray(x)) return { array: x.constructor.name, data: Array.from(x) };
  if (Array.isArray(x)) return x.map(visible);
  if (typeof x === "object" && x !== null)
    return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, visible(v)]));
  return x;
}
