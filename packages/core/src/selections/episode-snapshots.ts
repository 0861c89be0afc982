import type { Tensor } from "@reins/tensor";
import type { JudgedEpisode } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";

/** Judged episodes as a snapshot, each under a name. */
export const savedEpisodes = (kept: Iterable<readonly [string, JudgedEpisode]>): Snapshot =>
  Array.from(
    kept,
    ([
      key,
      {
        episode: { columns, ...rest },
        ...judged
      },
    ]) => ({
      key,
      columns: columns as Record<string, Tensor>,
      rest: JSON.stringify({ rest, judged }, plainly),
    }),
  );

/** Judged episodes from a snapshot. */
export const restoredEpisodes = (from: Snapshot): [string, JudgedEpisode][] =>
  (from as { key: string; columns: Record<string, Tensor>; rest: string }[]).map((s) => {
    const { rest, judged } = JSON.parse(s.rest);
    return [s.key, { ...judged, episode: { ...rest, columns: s.columns } }];
  });

/** Typed arrays as plain lists: JSON would make records of them. */
const plainly = (_: string, x: unknown) => (ArrayBuffer.isView(x) ? Array.from(x as Float32Array) : x);
