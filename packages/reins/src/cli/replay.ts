import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@reins/core";
import { type RecordedEpisode, RunDirectory } from "@reins/core/directory";
import { framesOf } from "../pictures/episode-film.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { openScreen } from "../terminal/screen.ts";
import { short } from "../terminal/words.ts";

/** The episodes that a run has recorded, or the last one within so many steps of training. Files are read, and no code is run. */
export function recordedIn(path: string, at?: number): RecordedEpisode[] {
  const directory = RunDirectory.open(path);
  const all = directory.episodes();
  if (!all.length) {
    const reason = directory.summary()?.notes?.find((note) => note.startsWith("No episode was recorded"));
    fail(
      path,
      reason ??
        "no episode was recorded. One is whenever the agent is measured, at the end (--eval-episodes) and on the way (--eval-every). reins watch plays some now.",
    );
  }
  if (at === undefined) return all;
  const before = all.filter(({ steps }) => steps <= at);
  if (!before.length) fail(path, `the first episode was recorded at step ${all[0].steps}; ${at} is before.`);
  return before.slice(-1);
}

/** Shows recorded episodes one after the other; into a pipe, the last picture of each. */
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
        ({ text }) => text?.split("\n") ?? ["(only in shapes: reins watch --recorded --save)"],
      );
      for (const [i, picture] of live ? lines.entries() : []) {
        const where = `after ${short(steps)} steps of training   step ${i * every} of ${length}   return ${total}`;
        live?.draw([`${ink.bold(title)}   ${ink.dim(where)}`, "", ...picture]);
        if (fps > 0) await sleep((1000 * every) / fps);
      }
      const end = `after ${short(steps)} steps of training: return ${total} in ${length} steps`;
      const shown = lines.at(-1) ?? ["(it draws nothing: reins studio has curves of what was seen)"];
      if (!live) print(io.out, ...shown, end, "");
      else if (lines.length === 0) live.draw([`${ink.bold(title)}   ${ink.dim(end)}`, "", ...shown]);
    }
  } finally {
    live?.close();
  }
}
