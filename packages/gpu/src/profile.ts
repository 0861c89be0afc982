import { type ProfileEntry, startProfile } from "@reins/tensor";
import type { Row } from "./section.ts";

/** The kernels that take longest during `body`, a line each. */
export function* profiled(what: string, count: number, body: () => void): Iterable<Row> {
  const profile = startProfile();
  let times: readonly ProfileEntry[] = [];
  try {
    body();
  } finally {
    const { entries, milliseconds } = profile.stop();
    times = entries.filter(({ kind }) => kind === "kernel");
    const copies = entries.filter(({ kind }) => kind === "copy");
    yield {
      what: `${what}: all`,
      result: [
        `${milliseconds.toFixed(2)} ms`,
        ...copies.map(
          (c) =>
            `${c.name} ${c.milliseconds.toFixed(2)} ms, ${c.count} × ${(c.bytes / c.count / 1024).toFixed(0)} KiB`,
        ),
      ].join("; "),
    };
  }
  const total = times.reduce((n, t) => n + t.milliseconds, 0);
  const launches = times.reduce((n, t) => n + t.count, 0);
  yield { what: `${what}: kernels`, result: `${total.toFixed(2)} ms in ${launches} launches` };
  for (const t of times.slice(0, count))
    yield {
      what: `  ${(t.milliseconds / Math.max(1e-9, total)) * 100 > 99.95 ? "100" : ((t.milliseconds / Math.max(1e-9, total)) * 100).toFixed(1)}%`,
      result: `${t.milliseconds.toFixed(3)} ms, ${t.count} × ${((t.milliseconds / t.count) * 1e3).toFixed(1)} µs  ${t.name.slice(0, 110)}`,
    };
}
