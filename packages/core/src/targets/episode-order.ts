import { and, ge, maximum, reshape, Tensor, take, where } from "@reins/tensor";
import type { Columns } from "../batch.ts";

type Found<N extends string> = { readonly [name in N]: Tensor };

/**
 * Computes a target over whole episodes where some lie in several rows, one for each segment: what a turn earns in a later segment
 * belongs to the earlier ones too. The column `episodeSteps`, [steps, rows], has the position of each step in its episode's order (-1:
 * none), and `episodePlaces` the way back; `EpisodeUpdates` makes both. Without them, each row is an episode.
 */
export function inEpisodeOrder<N extends string>(
  columns: Columns,
  target: (columns: Columns) => Found<N>,
): Found<N> {
  const { episodeSteps, episodePlaces } = columns as { [name: string]: Tensor | undefined };
  if (!episodeSteps || !episodePlaces) return target(columns);
  const shape = episodePlaces.shape.join();
  const real = ge(episodeSteps, 0);
  const moved = (t: Tensor, at: Tensor) =>
    reshape(take(reshape(t, [-1]), reshape(maximum(at, 0), [-1]), 0), at.shape);
  const ordered: Record<string, Tensor> = {};
  for (const [name, t] of Object.entries(columns)) {
    if (!(t instanceof Tensor) || t === episodePlaces || t.shape.join() !== shape) continue;
    const x = moved(t, episodeSteps);
    ordered[name] = t.dtype === "bool" ? and(real, x) : where(real, x, 0);
  }
  const found = target({ ...columns, ...ordered });
  return Object.fromEntries(
    Object.entries<Tensor>(found).map(([name, t]) => [name, moved(t, episodePlaces)]),
  ) as Found<N>;
}
