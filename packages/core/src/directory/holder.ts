import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";

/** A process that uses a run directory, known apart from later ones with its number. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as text. */
  readonly started: string;
  /** When it began by the kernel's own clock, where that can be asked: tells a process from a later one with its number. */
  readonly ticks: string | null;
  /** Which start of the machine that clock counts from. */
  readonly boot?: string | null;
}

/** This process. */
export function ownHolder(): Holder {
  const started = new Date(Date.now() - process.uptime() * 1000).toISOString();
  return { pid: process.pid, host: hostname(), started, ticks: ticksOf(process.pid), boot: bootOf() };
}

/** The process that a text names; undefined if it names none. */
export function holderIn(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.host === "string" ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process still lives, as far as can be seen from here. */
export function isAlive({
  pid,
  host,
  ticks,
  boot,
}: Pick<Holder, "pid" | "host" | "ticks" | "boot">): boolean {
  // Another machine's processes cannot be seen from here: it must be believed.
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

/** A process and thread as a word that a file's name can hold. */
export const markOf = ({ pid, host, ticks }: Holder): string =>
  `${encodeURIComponent(host)}.${pid}.${ticks ?? "-"}.${threadId}`;

/** The process that a mark names; undefined if it is none. */
export function ofMark(mark: string): Pick<Holder, "pid" | "host" | "ticks"> | undefined {
  const [, host, pid, ticks] = /^(.+)\.(\d+)\.(\d+|-)\.\d+$/.exec(mark) ?? [];
  if (host === undefined) return undefined;
  return { host: decodeURIComponent(host), pid: Number(pid), ticks: ticks === "-" ? null : ticks };
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may itself hold spaces and brackets. */
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
