import { useEffect, useRef, useState } from "preact/hooks";
import { draw, framed } from "../episodes/draw.ts";
import { short } from "../format.ts";
import type { EpisodeFrame, Played } from "./messages.ts";
import type { Trainer } from "./trainer.ts";

/** Plays the frames of the agent's episodes at a steady rate, though they arrive in batches between updates. */
export function Player({ trainer, pace, title }: { trainer: Trainer; pace: number; title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [now, setNow] = useState<EpisodeFrame>();
  useEffect(() => {
    let frame = 0;
    let shown = performance.now();
    let words = 0;
    const show = (time: number) => {
      frame = requestAnimationFrame(show);
      const { frames } = trainer;
      // Faster while many frames are queued, so that the view keeps up.
      const hurry = frames.length > pace * 1.5 ? 1.5 : 1;
      const due = Math.floor(((time - shown) * pace * hurry) / 1000);
      if (due < 1) return;
      shown = Math.max(shown + (1000 * due) / (pace * hurry), time - 100);
      const next = frames.splice(0, Math.min(due, frames.length)).at(-1);
      if (!next) return;
      if (canvas.current && next.drawing) draw(canvas.current, next.drawing);
      // The text changes at most ten times a second.
      if (time - words < 100) return;
      words = time;
      setNow(next);
    };
    frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [trainer, pace]);
  const frame = now?.drawing
    ? framed(now.drawing)
    : { class: "picture", style: { "--ratio": 1.5, aspectRatio: "3 / 2", visibility: "hidden" } };
  return (
    <section class="panel" aria-label="Episode">
      <div class="row play-head">
        <b>Current agent</b>
        {now && (
          <span class="soft">
            episode {now.episode + 1}, step {now.step}
          </span>
        )}
      </div>
      <canvas ref={canvas} role="img" aria-label={`The agent plays ${title}`} {...frame} />
      {!now && <p class="soft play-empty">Episodes appear here after the first update.</p>}
      {now && <Before played={now.before} />}
    </section>
  );
}

/** Returns of the last episodes, newest last. */
function Before({ played }: { played: readonly Played[] }) {
  return (
    <p class="soft played">
      {played.length > 0 && "Last episodes: "}
      {played.map(({ steps, return: sum }, i) => (
        <span key={i}>
          {i > 0 && ", "}
          {sum === undefined ? (
            <i title="Cut short to show the improved agent from the start of an episode.">
              cut at step {steps}
            </i>
          ) : (
            <b>{short(sum)}</b>
          )}
        </span>
      ))}
    </p>
  );
}
