import type { BackendName } from "../backends/choose.ts";
import * as choose from "../backends/choose.ts";

/** The back ends for tests: the reference always, the others if this machine can run them. */
export function backends(): BackendName[] {
  const available =
    (choose as { availableBackends?: () => readonly BackendName[] }).availableBackends?.() ?? [];
  const asked = process.env.REINS_TEST_BACKENDS?.split(",") ?? ["wasm", "native"];
  return [
    "reference",
    ...(["wasm", "native"] as const).filter((b) => available.includes(b) && asked.includes(b)),
  ];
}

/** The back ends that compile kernels; empty if none is available. */
export function fastBackends(): BackendName[] {
  return backends().filter((b) => b !== "reference");
}
