import { useEffect, useRef } from "preact/hooks";
import type { RunDetail, TranscriptLine } from "../../../src/wire.ts";
import { get, ofRun } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";
import { go, href, type Route } from "../../route.ts";
import { usePoll } from "../../use-poll.ts";
import { asQuery, stepIn, type Wish, wished, wishIn } from "./transcript-filter.ts";
import { TextList } from "./transcript-list.tsx";
import { Reader } from "./transcript-reader.tsx";
import { TranscriptTools } from "./transcript-tools.tsx";

/** Texts of a run in words: found, read token by token, and beside other answers to the same. */
export function TranscriptsTab({ run, route }: { run: RunDetail; route: Route }) {
  const { value, error } = usePoll(
    () => get<TranscriptLine[]>(ofRun(run.name, "transcripts")),
    `${run.name} transcripts`,
    run.state === "running" ? 3000 : 0,
  );
  // What is looked for is in the address: it can be kept, sent on, and come back to.
  const wish = wishIn(route.query);
  const all = value ?? [];
  const found = all.filter((t) => wished(t, wish)).reverse();
  const asked = route.query.get("number");
  const chosen = found.find(({ number }) => `${number}` === asked) ?? found[0];
  const address = (query: Record<string, string>) => href(["run", run.name, "transcripts"], query);
  const addressOf = ({ number }: TranscriptLine) => address({ ...asQuery(wish), number: `${number}` });
  const change = (next: Wish) =>
    go(address({ ...asQuery(next), ...(asked === null ? {} : { number: asked }) }), true);
  const [before, after] = [-1, 1].map((by) => stepIn(found, chosen, by));
  const turn = (to: TranscriptLine | undefined) => to && go(addressOf(to), true);
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const typing = (e.target as HTMLElement).closest("input, select, textarea");
      if (typing || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
      if (e.key === "ArrowLeft") turn(before);
      else if (e.key === "ArrowRight") turn(after);
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const top = useRef<HTMLDivElement>(null);
  const seen = useRef(asked);
  useEffect(() => {
    // Whoever chooses a text wants to see it, and not what stands below it.
    if (seen.current !== asked && top.current && top.current.getBoundingClientRect().top < 0)
      top.current.scrollIntoView();
    seen.current = asked;
  }, [asked]);
  if (error && !value) return <Notice bad>{error.message}</Notice>;
  const place = chosen ? found.indexOf(chosen) : -1;
  return (
    <>
      <TranscriptTools all={all} wish={wish} change={change} />
      <div ref={top} class="row turn-over">
        <span>
          <b>{found.length === all.length ? found.length : `${found.length} of ${all.length}`}</b>{" "}
          {all.length === 1 ? "text" : "texts"}, the newest first
        </span>
        <span class="row">
          <button type="button" disabled={!before} onClick={() => turn(before)} title="Left arrow">
            ← Previous
          </button>
          <span aria-live="polite">{place < 0 ? "–" : `${place + 1} of ${found.length}`}</span>
          <button type="button" disabled={!after} onClick={() => turn(after)} title="Right arrow">
            Next →
          </button>
        </span>
        {all.length > 0 && all.every((t) => t.by === "teacher") && (
          <span class="soft">
            All are a teacher's, whom the run imitates.{" "}
            {run.state === "running"
              ? "Texts of its own come when it is done with that."
              : "It ended before it wrote any of its own."}
          </span>
        )}
      </div>
      <div class="reader">
        <TextList found={found} chosen={chosen} isRead={value !== undefined} addressOf={addressOf} />
        {chosen && <Reader run={run.name} all={all} chosen={chosen} wish={wish} />}
      </div>
    </>
  );
}
