import { TensorError } from "./errors.ts";
import { type MemoryUse, memoryUse } from "./memory-use.ts";

/** What takes time: a run of a compiled function, its compilation, a kernel on a GPU, or a copy between the host and a GPU. */
export type ProfileKind = "function" | "compile" | "kernel" | "copy";

/** One piece of work. Times are in milliseconds; `start` counts from the start of the profile. */
export interface ProfileEvent {
  readonly kind: ProfileKind;
  readonly name: string;
  readonly start: number;
  readonly milliseconds: number;
}

/** All work of one name. */
export interface ProfileEntry {
  readonly kind: ProfileKind;
  readonly name: string;
  readonly count: number;
  readonly milliseconds: number;
  /** Bytes of copies. */
  readonly bytes: number;
}

/** Where the time between `startProfile` and `stop` went. */
export interface Profile {
  /** Time between start and stop. What belongs to no entry was spent in other JavaScript. */
  readonly milliseconds: number;
  /** The longest first. The time of a function on a GPU contains that of its kernels and copies. */
  readonly entries: readonly ProfileEntry[];
  /** Every piece of work in order, up to a limit of 200,000. */
  readonly events: readonly ProfileEvent[];
  readonly memory: MemoryUse;
}

const mostEvents = 200_000;

class Recording {
  readonly began = performance.now();
  readonly events: ProfileEvent[] = [];
  readonly entries = new Map<string, { -readonly [K in keyof ProfileEntry]: ProfileEntry[K] }>();

  add(kind: ProfileKind, name: string, began: number, milliseconds: number, bytes: number): void {
    const key = `${kind} ${name}`;
    let entry = this.entries.get(key);
    if (!entry) this.entries.set(key, (entry = { kind, name, count: 0, milliseconds: 0, bytes: 0 }));
    entry.count++;
    entry.milliseconds += milliseconds;
    entry.bytes += bytes;
    if (this.events.length < mostEvents)
      this.events.push({ kind, name, start: began - this.began, milliseconds });
  }
}

let recording: Recording | undefined;

/**
 * Measures compiled functions, their compilation, and on a GPU every kernel and copy, until `stop` is called. Kernels are waited for one by one,
 * so that a GPU is slower than usual meanwhile.
 *
 * @experimental
 */
export function startProfile(): { stop(): Profile } {
  if (recording) throw new TensorError("A profile is being recorded already. Stop it first.");
  const own = new Recording();
  recording = own;
  return {
    stop() {
      if (recording === own) recording = undefined;
      const entries = [...own.entries.values()].sort((a, b) => b.milliseconds - a.milliseconds);
      return {
        milliseconds: performance.now() - own.began,
        entries,
        events: own.events,
        memory: memoryUse(),
      };
    },
  };
}

export const isProfiling = (): boolean => recording !== undefined;

/** Runs `work`, and records its time while a profile is being recorded. */
export function measured<T>(kind: ProfileKind, name: string, work: () => T, bytes = 0): T {
  if (!recording) return work();
  const began = performance.now();
  try {
    return work();
  } finally {
    recording?.add(kind, name, began, performance.now() - began, bytes);
  }
}

/** Records a kernel that has just ended, by its time on the GPU. */
export function recordKernel(name: string, milliseconds: number): void {
  recording?.add("kernel", name, performance.now() - milliseconds, milliseconds, 0);
}

/**
 * A profile in the trace event format that Perfetto (ui.perfetto.dev) and chrome://tracing open: functions and compilations, kernels, and
 * copies on a track each.
 *
 * @experimental
 */
export function traceEvents({ events }: Profile): string {
  const tracks: { readonly [K in ProfileKind]: number } = { function: 1, compile: 1, kernel: 2, copy: 3 };
  const names = ["functions", "kernels", "copies"];
  const microseconds = (ms: number) => Math.round(ms * 1e6) / 1e3;
  return JSON.stringify({
    traceEvents: [
      ...names.map((name, i) => ({ ph: "M", name: "thread_name", pid: 1, tid: i + 1, args: { name } })),
      ...events.map(({ kind, name, start, milliseconds }) => ({
        ph: "X",
        name: kind === "compile" ? `compile ${name}` : name,
        cat: kind,
        pid: 1,
        tid: tracks[kind],
        ts: microseconds(start),
        dur: microseconds(milliseconds),
      })),
    ],
  });
}
