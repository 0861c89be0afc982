import { useEffect, useRef, useState } from "preact/hooks";
import { draw, framed } from "../episodes/draw.ts";
import { short } from "../words.ts";
import type { Moment, Played } from "./messages.ts";
import type { Trainer } from "./trainer.ts";

/** The agent as it plays, at a steady pace: frames come in bundles, whenever training leaves time. */
export function Player({ trainer, pace, title }: { trainer: Trainer; pace: number; title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [now, setNow] = useState<Moment>();
  useEffect(() => {
    let frame = 0;
    let shown = performance.now();
    let words = 0;
    const show = (time: number) => {
      frame = requestAnimationFrame(show);
      const { frames } = trainer;
      // A little faster where many wait, so that what is seen is never old.
      const hurry = frames.length > pace * 1.5 ? 1.5 : 1;
      const due = Math.floor(((time - shown) * pace * hurry) / 1000);
      if (due < 1) return;
      shown = Math.max(shown + (1000 * due) / (pace * hurry), time - 100);
      const moment = frames.splice(0, Math.min(due, frames.length)).at(-1);
      if (!moment) return;
      if (canvas.current && moment.drawing) draw(canvas.current, moment.drawing);
      // Numbers that change sixty times a second cannot be read.
      if (time - words < 100) return;
      words = time;
      setNow(moment);
    };
    frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [trainer, pace]);
  const frame = now?.drawing
    ? framed(now.drawing)
    : { class: "picture", style: { "--ratio": 1.5, aspectRatio: "3 / 2", visibility: "hidden" } };
  return (
    <section class="panel" aria-label="The agent at play">
      <div class="row play-head">
        <b>It plays</b>
        {now && (
          <span class="soft">
            episode {now.episode + 1}, step {now.step}
          </span>
        )}
      </div>
      <canvas ref={canvas} role="img" aria-label={`The agent plays ${title}`} {...frame} />
      {!now && <p class="soft play-empty">It plays here as soon as it has taken its first steps.</p>}
      {now && <Before played={now.before} />}
    </section>
  );
}

/** What the last episodes brought, the newest last: one sees whether it gets better. */
function Before({ played }: { played: readonly Played[] }) {
  return (
    <p class="soft played">
      {played.length > 0 && "Last episodes: "}
      {played.map(({ steps, return: sum }, i) => (
        <span key={i}>
          {i > 0 && ", "}
          {sum === undefined ? (
            <i title="It was broken off there: it had learned more by then, and shows that from the beginning.">
              left at step {steps}
            </i>
          ) : (
            <b>{short(sum)}</b>
          )}
        </span>
      ))}
    </p>
  );
}
