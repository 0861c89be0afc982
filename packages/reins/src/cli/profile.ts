import { join } from "node:path";
import { disk, replaceFile } from "@reins/core/directory";
import { type Profile, type ProfileEntry, type startProfile, traceEvents } from "@reins/tensor";
import { compact, grouped, time } from "../terminal/format.ts";
import { type Io, print } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";

/** Lines of each part of the table. */
const mostLines = 12;

/** Waits for a command's exit code; then prints what was recorded, if anything, and writes the trace into the run's directory. */
export async function profiled(
  recording: ReturnType<typeof startProfile> | undefined,
  code: Promise<number>,
  directory: string | undefined,
  io: Io,
): Promise<number> {
  if (!recording) return code;
  try {
    return await code;
  } finally {
    const profile = recording.stop();
    print(io.err, "", ...profileLines(profile));
    if (directory) {
      const path = join(directory, "profile.json");
      replaceFile(disk, path, traceEvents(profile));
      print(io.err, `Trace: ${path} (open it in https://ui.perfetto.dev).`);
    }
  }
}

/** A duration in milliseconds with its unit. */
const fine = (ms: number): string =>
  ms < 1
    ? `${(ms * 1e3).toPrecision(3)} µs`
    : ms < 1e3
      ? `${ms.toPrecision(3)} ms`
      : `${(ms / 1e3).toPrecision(4)} s`;

const size = (bytes: number): string => `${compact(bytes)}B`;

/** Where the time went, as lines of text. */
export function profileLines(profile: Profile): string[] {
  const { milliseconds, entries, memory } = profile;
  const of = (kind: ProfileEntry["kind"]) => entries.filter((e) => e.kind === kind);
  const total = (list: readonly ProfileEntry[]) => list.reduce((n, e) => n + e.milliseconds, 0);
  const share = (ms: number) => `${((100 * ms) / Math.max(milliseconds, 1e-9)).toFixed(1)}%`;
  const [functions, compiled, kernels, copies] = [of("function"), of("compile"), of("kernel"), of("copy")];
  const other = Math.max(0, milliseconds - total(functions) - total(compiled));
  const rows = (list: readonly ProfileEntry[]) =>
    list
      .slice(0, mostLines)
      .map((e) => [
        share(e.milliseconds),
        fine(e.milliseconds),
        grouped(e.count),
        fine(e.milliseconds / e.count),
        e.bytes ? `${e.name}, ${size(e.bytes)}` : e.name,
      ]);
  const part = (title: string, list: readonly ProfileEntry[]) =>
    list.length === 0
      ? []
      : [
          "",
          ...table(["share", "total", "calls", "each", title], rows(list), { right: [0, 1, 2, 3] }),
          ...(list.length > mostLines ? [`and ${list.length - mostLines} more`] : []),
        ];
  return [
    `Profile of ${time(milliseconds / 1e3)}: ${share(total(functions))} compiled functions, ${share(total(compiled))} compilation, ${share(other)} other JavaScript.`,
    ...(kernels.length
      ? [`The GPU was busy for ${share(total(kernels) + total(copies))}; the profile waits for every kernel.`]
      : []),
    ...part("function", functions),
    ...part("compilation", compiled),
    ...part("kernel", kernels),
    ...part("copy", copies),
    "",
    `Tensor heap: ${size(memory.heap.used)}, at most ${size(memory.heap.peak)}.`,
    ...memory.devices.map(
      (d) =>
        `${d.name}: ${size(d.used)} in use, ${size(d.kept)} kept for later, ${size(d.free)} of ${size(d.total)} free.`,
    ),
  ];
}
