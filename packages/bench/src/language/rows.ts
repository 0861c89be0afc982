import { alternate, reason } from "../compare.ts";
import { convert, type Part, type Result } from "../result.ts";
import type { Side } from "../side.ts";
import { summary } from "../stats.ts";
import { differsFromPeer } from "../verify.ts";
import { generation, type LanguageBenchmark, models, update } from "./benchmarks.ts";
import type { GenerationSample } from "./generation.ts";
import type { GrpoSample } from "./grpo.ts";

/** A benchmark on a backend with a number of threads. */
export interface MeasuredPlace {
  readonly benchmark: LanguageBenchmark;
  readonly backend: "native" | "wasm";
  readonly threads: number;
}

/** Converts seconds to a row of tokens per second; `ours` and `peer` are seconds for `tokens` tokens. */
function rowOf(
  { benchmark, backend, threads }: MeasuredPlace,
  tokens: number,
  ours: readonly number[],
  peer: readonly number[],
  rest: Pick<Result, "peerName" | "parts" | "note">,
): Result {
  const rate = (samples: readonly number[]) =>
    samples.length ? convert(summary(samples), (seconds) => tokens / seconds) : undefined;
  const [own, other] = [rate(ours), rate(peer)];
  const ratio = own && other ? own.value / other.value : null;
  const floor = backend === "native" && threads === 1 ? (benchmark.floor ?? null) : null;
  return {
    name: benchmark.name,
    backend,
    threads,
    unit: "tokens/s",
    ours: own?.value ?? null,
    peer: other?.value ?? null,
    ratio,
    spread: { ours: own?.spread ?? null, peer: other?.spread ?? null },
    floor,
    met: ratio === null || floor === null ? null : ratio >= floor,
    ...rest,
  };
}

/** A training step or a whole update against PyTorch. */
export async function besidePeer(
  place: MeasuredPlace,
  startOurs: () => Promise<Side>,
  startPeer: () => Promise<Side>,
  rounds: number,
): Promise<Result> {
  // In sequence: the second must not warm up while the first does.
  const ours = await startOurs().catch(reason);
  const peer = await startPeer().catch(reason);
  const both = [ours, peer].map((side) => (typeof side === "string" ? undefined : side));
  // Samples of an update are random, and each side has its own generator.
  const wrong =
    both[0] && both[1] && place.benchmark.kind === "train"
      ? differsFromPeer(both[0].ready.values, both[1].ready.values, 1e-3)
      : undefined;
  const [a, b] = wrong ? [[], []] : await alternate(both, rounds);
  for (const side of both) side?.stop();
  const notes = [
    typeof ours === "string" && `ours unavailable: ${ours}`,
    wrong && `wrong loss, not timed: ${wrong}`,
    typeof peer === "string" ? `PyTorch unavailable: ${peer}` : `PyTorch: ${peer.ready.how}`,
  ].filter(Boolean);
  const { batch, tokens } = models[place.benchmark.model!];
  const { prompts, completions, completion } = update;
  const each = place.benchmark.kind === "update" ? prompts * completions * completion : batch * tokens;
  return rowOf(place, each, a, b, { peerName: "PyTorch", note: notes.join("; ") });
}

/** Generation against its products and caches alone: the ratio is their share of the whole. */
export async function generationRow(
  place: MeasuredPlace,
  side: Promise<Side<GenerationSample>>,
  rounds: number,
): Promise<Result> {
  const { samples, note } = await samplesOf(side, rounds);
  const bare = samples.map((s) => s.products + s.caches + s.prompts);
  return rowOf(
    place,
    generation.rows * generation.added,
    samples.map((s) => s.whole),
    bare,
    {
      peerName: "products and caches",
      parts: partsOf(samples, ["products", "caches", "prompts"], (s) => s.whole),
      note,
    },
  );
}

/** GRPO without a peer, with shares of its time. */
export async function grpoRow(
  place: MeasuredPlace,
  side: Promise<Side<GrpoSample>>,
  rounds: number,
): Promise<Result> {
  const { samples, note } = await samplesOf(side, rounds);
  const whole = (s: GrpoSample) => s.generation + s.judging + s.learning;
  return rowOf(
    place,
    1,
    samples.map((s) => whole(s) / s.tokens),
    [],
    { peerName: null, parts: partsOf(samples, ["generation", "judging", "learning"], whole), note },
  );
}

async function samplesOf<T>(
  side: Promise<Side<T>>,
  rounds: number,
): Promise<{ samples: T[]; note?: string }> {
  try {
    const started = await side;
    const [samples] = await alternate([started], rounds);
    started.stop();
    return { samples };
  } catch (error) {
    return { samples: [], note: reason(error) };
  }
}

/** Each part's percentage of the whole. */
function partsOf<K extends string, T extends { readonly [part in K]: number }>(
  samples: readonly T[],
  names: readonly K[],
  whole: (sample: T) => number,
): { readonly [name: string]: Part } | undefined {
  if (!samples.length) return undefined;
  return Object.fromEntries(
    names.map((name) => [
      name,
      convert(summary(samples.map((s) => s[name] / whole(s))), (share) => 100 * share),
    ]),
  );
}
