import type { ActingPolicy, EnvSpec, Value } from "@reins/core";
import { exportPolicy } from "@reins/core/policies";
import { random, type Tree } from "@reins/tensor";
import { type AgentContent, writeAgent } from "../agents/agent-file.ts";
import { exportModule } from "./export-module.ts";
import type { ExportOptions } from "./trace.ts";

/** The file of an agent with random weights, for a policy and its wrappers. */
export function fileOf<W extends Tree, S extends Tree>(
  spec: EnvSpec,
  policy: ActingPolicy<W, S>,
  about: Partial<AgentContent> & { readonly outer?: EnvSpec } = {},
): Uint8Array {
  const { outer = spec, ...rest } = about;
  const written = exportPolicy({ policy: anyPolicy(policy), weights: policy.init(random.key(3)) }, outer);
  return writeAgent({ algorithm: "test", steps: 0, spec, wrappers: [], policy: written, ...rest });
}

const anyPolicy = <W extends Tree, S extends Tree>(policy: ActingPolicy<W, S>) =>
  policy as ActingPolicy<Tree, Tree> & typeof policy;

/** Exports of a module. */
export interface ActModule {
  readonly about: { readonly env: string };
  start?(): unknown;
  act(observation: Value, ...rest: readonly unknown[]): unknown;
}

/** Loads the exported module of an agent. */
export async function moduleOf(file: Uint8Array, options?: ExportOptions): Promise<ActModule> {
  const { code } = await exportModule(file, options);
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

/** Flattens a value. */
export function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array);
  return Object.values(value as object).flatMap(numbersOf);
}

/** Maximum absolute difference of two values. */
export function apart(a: unknown, b: unknown): number {
  const [x, y] = [numbersOf(a), numbersOf(b)];
  return x.length === y.length
    ? Math.max(...x.map((v, i) => Math.abs(v - y[i]) / Math.max(1, Math.abs(v))))
    : Number.NaN;
}
