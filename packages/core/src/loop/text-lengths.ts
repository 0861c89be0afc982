import type { Tensor } from "@reins/tensor";
import { makers } from "../episode.ts";
import type { JudgedEpisode } from "../selection.ts";

/**
 * Percentiles of prompt and completion lengths in tokens, if episodes have prompts. The prompt is everything before the first token
 * that is generated or imitated; the completion is all tokens that are.
 */
export function textLengths(judged: readonly JudgedEpisode[]): { readonly [name: string]: number } {
  const lengths = judged.map(({ episode }) => {
    const by = Array.from((episode.columns.by as Tensor).data, isCompletion);
    const prompt = by.indexOf(true);
    const completion = by.filter(Boolean).length;
    // The first token is observed and never chosen, so it has no step.
    return { prompt: (prompt < 0 ? by.length : prompt) + 1, completion };
  });
  if (lengths.every(({ prompt }) => prompt === 1)) return {};
  return {
    ...percentiles(
      "length/prompt",
      lengths.map((l) => l.prompt),
    ),
    ...percentiles(
      "length/completion",
      lengths.map((l) => l.completion),
    ),
  };
}

const isCompletion = (maker: number) => ["policy", "greedy", "teacher"].includes(makers[maker]);

/** Median, 95th percentile (nearest rank) and maximum. */
function percentiles(name: string, values: readonly number[]): { readonly [name: string]: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return { [`${name}-p50`]: rank(0.5), [`${name}-p95`]: rank(0.95), [`${name}-max`]: rank(1) };
}
