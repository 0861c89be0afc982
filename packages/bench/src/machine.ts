import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, platform, release } from "node:os";
import { python, relaxedSimd } from "./side.ts";

/** The machine of a measurement. */
export interface MachineInfo {
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  /** Load averages over the last 1, 5 and 15 minutes. */
  readonly load: readonly number[];
  readonly peers: Readonly<Record<string, string>>;
}

export function machine(): MachineInfo {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    system: `${platform()} ${release()}`,
    node: process.version,
    load: loadavg().map((l) => Number(l.toFixed(2))),
    peers: { PyTorch: torchVersion(), "jax-js": jaxVersion() },
  };
}

function torchVersion(): string {
  const child = spawnSync(python(), ["-c", "import torch; print(torch.__version__)"], { encoding: "utf8" });
  return child.status === 0
    ? child.stdout.trim()
    : "not found (set REINS_PYTHON to an interpreter with torch)";
}

function jaxVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.resolve("@jax-js/jax")), "utf8"))
    .version;
}

export function describeMachine(m: MachineInfo): string {
  return [
    `${m.processor}, ${m.cores} ${m.cores === 1 ? "core" : "cores"}, ${m.system}, Node ${m.node}`,
    `PyTorch ${m.peers.PyTorch}, jax-js ${m.peers["jax-js"]}; WebAssembly ${relaxedSimd() ? "with" : "without"} relaxed SIMD (REINS_RELAXED_SIMD)`,
    `Load average ${m.load.join(", ")}: other load distorts the numbers; measure on an idle machine.`,
  ].join("\n");
}
