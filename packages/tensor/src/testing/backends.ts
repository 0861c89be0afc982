import type { BackendName } from "../backends/choose.ts";
import * as choose from "../backends/choose.ts";

/** The back ends that tests run on: the reference always, the others where this machine can run them. */
export function backends(): BackendName[] {
  const available =
    (choose as { availableBackends?: () => readonly BackendName[] }).availableBackends?.() ?? [];
  const asked = process.env.REINS_TEST_BACKENDS?.split(",") ?? ["wasm", "native"];
  return [
    "reference",
    ...(["wasm", "native"] as const).filter((b) => available.includes(b) && asked.includes(b)),
  ];
}

/** Those that compile kernels; empty until one is available. */
export function fastBackends(): BackendName[] {
  return backends().filter((b) => b !== "reference");
}
