import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";

/** A process that uses a run directory, distinguished from later processes with the same id. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, as text. */
  readonly started: string;
  /** Start time by the kernel's clock, if available: distinguishes a process from a later one with the same id. */
  readonly ticks: string | null;
  /** The boot that this clock counts from. */
  readonly boot?: string | null;
}

/** This process. */
export function ownHolder(): Holder {
  const started = new Date(Date.now() - process.uptime() * 1000).toISOString();
  return { pid: process.pid, host: hostname(), started, ticks: ticksOf(process.pid), boot: bootOf() };
}

/** Parses a process; undefined if the text does not name one. */
export function holderIn(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.host === "string" ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is alive, as far as this machine can tell. */
export function isAlive({
  pid,
  host,
  ticks,
  boot,
}: Pick<Holder, "pid" | "host" | "ticks" | "boot">): boolean {
  // Processes of another machine cannot be checked, and count as alive.
  if (host !== hostname()) return true;
  if (boot && bootOf() && boot !== bootOf()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = ticksOf(pid);
  return ticks === null || now === null || ticks === now;
}

/** A process and thread as part of a file name. */
export const markOf = ({ pid, host, ticks }: Holder): string =>
  `${encodeURIComponent(host)}.${pid}.${ticks ?? "-"}.${threadId}`;

/** Parses such a mark; undefined if it is not one. */
export function ofMark(mark: string): Pick<Holder, "pid" | "host" | "ticks"> | undefined {
  const [, host, pid, ticks] = /^(.+)\.(\d+)\.(\d+|-)\.\d+$/.exec(mark) ?? [];
  if (host === undefined) return undefined;
  return { host: decodeURIComponent(host), pid: Number(pid), ticks: ticks === "-" ? null : ticks };
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may contain spaces and brackets. */
function ticksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function bootOf(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
