import { type Benchmark, inUnit } from "./benchmarks.ts";
import type { BackendName, Options } from "./options.ts";
import { convert, type Result } from "./result.ts";
import { peerOf, type Side, startSide } from "./side.ts";
import { type Summary, summary } from "./stats.ts";
import { differsFromPeer } from "./verify.ts";

/** Measures one benchmark on one backend against its peer. The sides alternate, so that other load affects both. */
export async function compare(
  benchmark: Benchmark,
  backend: BackendName,
  threads: number,
  options: Options,
): Promise<{ result: Result; profile?: string }> {
  const { name, unit, tolerance } = benchmark;
  const peerName = peerOf(backend);
  const start = (program: Parameters<typeof startSide>[0]) =>
    startSide(program, backend, name, threads, options).catch(reason);
  // In sequence: the second must not compile while the first warms up.
  const ours = await start("ours");
  const peer = await start(peerName);
  const both = [ours, peer].map((side) => (typeof side === "string" ? undefined : side));
  const wrong =
    both[0] && both[1] ? differsFromPeer(both[0].ready.values, both[1].ready.values, tolerance) : undefined;
  const [a, b] = (wrong ? [] : await alternate(both, options.rounds)).map((s) =>
    s.length ? summary(s) : undefined,
  );
  for (const side of both) side?.stop();
  const value = (s: Summary | undefined) =>
    s && convert(s, (seconds) => inUnit(name, unit, seconds, options.small));
  const [oursIn, peerIn] = [value(a), value(b)];
  const ratio = a && b ? b.median / a.median : null;
  const floor = options.small || backend === "reference" ? null : benchmark.floors[backend];
  const notes = [
    typeof ours === "string" && `ours unavailable: ${ours}`,
    wrong && `wrong result, not timed: ${wrong}`,
    typeof peer === "string"
      ? `peer unavailable: ${peer}`
      : peer.ready.how && `${peerName}: ${peer.ready.how}`,
  ].filter(Boolean);
  const result: Result = {
    name,
    backend,
    threads,
    unit,
    ratio,
    floor,
    peerName,
    ours: oursIn?.value ?? null,
    peer: peerIn?.value ?? null,
    spread: { ours: oursIn?.spread ?? null, peer: peerIn?.spread ?? null },
    met: ratio === null || floor === null ? null : ratio >= floor,
    note: notes.join("; ") || undefined,
  };
  return { result, profile: both[0]?.ready.profile };
}

/** Collects samples from the sides in turn. */
export async function alternate<Sample>(
  sides: readonly (Side<Sample> | undefined)[],
  rounds: number,
): Promise<Sample[][]> {
  const samples: Sample[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, side] of sides.entries()) if (side) samples[i].push(...(await side.round()));
  }
  return samples;
}

/** The message of an error. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
