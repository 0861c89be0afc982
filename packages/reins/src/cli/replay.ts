import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@reins/core";
import { type RecordedEpisode, RunDirectory } from "@reins/core/directory";
import { framesOf } from "../pictures/episode-film.ts";
import { short } from "../terminal/format.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { openScreen } from "../terminal/screen.ts";

/** The recorded episodes of a run, or the last one within `at` steps of training. Reads files only; runs no code. */
export function recordedIn(path: string, at?: number): RecordedEpisode[] {
  const directory = RunDirectory.open(path);
  const all = directory.episodes();
  if (!all.length) {
    const reason = directory.summary()?.notes?.find((note) => note.startsWith("No episode was recorded"));
    fail(
      path,
      reason ??
        "no episode was recorded. Evaluations record one, during training (--eval-every) and at the end (--eval-episodes). reins watch plays new ones.",
    );
  }
  if (at === undefined) return all;
  const before = all.filter(({ steps }) => steps <= at);
  if (!before.length)
    fail(path, `the first episode was recorded at step ${all[0].steps}, after step ${at}. Raise --at.`);
  return before.slice(-1);
}

/** Shows recorded episodes in turn; into a pipe, the last frame of each. */
export async function replay(
  episodes: readonly RecordedEpisode[],
  { title, fps }: { readonly title: string; readonly fps: number },
  io: Io,
): Promise<void> {
  const ink = inkOf(io.out);
  const live = io.out.isTTY ? openScreen(io.out) : undefined;
  try {
    for (const episode of episodes) {
      const { steps, length } = episode;
      const total = short(episode.return.reduce((a, b) => a + b, 0));
      const { frames = [], every = 1 } = framesOf(episode.load()) ?? {};
      const lines = frames.map(
        ({ text }) =>
          text?.split("\n") ?? [
            "(no text rendering; write an image: reins watch --recorded --save episode.gif)",
          ],
      );
      for (const [i, picture] of live ? lines.entries() : []) {
        const where = `after ${short(steps)} steps of training   step ${i * every} of ${length}   return ${total}`;
        live?.draw([`${ink.bold(title)}   ${ink.dim(where)}`, "", ...picture]);
        if (fps > 0) await sleep((1000 * every) / fps);
      }
      const end = `after ${short(steps)} steps of training: return ${total} in ${length} steps`;
      const shown = lines.at(-1) ?? ["(no rendering; reins studio plots the observations)"];
      if (!live) print(io.out, ...shown, end, "");
      else if (lines.length === 0) live.draw([`${ink.bold(title)}   ${ink.dim(end)}`, "", ...shown]);
    }
  } finally {
    live?.close();
  }
}
