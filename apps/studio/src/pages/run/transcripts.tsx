import type { RunDetail, TranscriptLine } from "@reins/studio/wire";
import { useEffect, useRef } from "preact/hooks";
import { get, ofRun } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";
import { go, href, type Route } from "../../route.ts";
import { usePoll } from "../../use-poll.ts";
import { filterIn, filterQuery, matchesFilter, stepIn, type TranscriptFilter } from "./transcript-filter.ts";
import { TextList } from "./transcript-list.tsx";
import { Reader } from "./transcript-reader.tsx";
import { TranscriptTools } from "./transcript-tools.tsx";

/** Transcripts of a language run: filtered, token by token, and beside the other samples of the problem. */
export function TranscriptsTab({ run, route }: { run: RunDetail; route: Route }) {
  const { value, error } = usePoll(
    () => get<TranscriptLine[]>(ofRun(run.name, "transcripts")),
    `${run.name} transcripts`,
    run.state === "running" ? 3000 : 0,
  );
  // The filter is part of the URL, so that a view can be bookmarked and shared.
  const filter = filterIn(route.query);
  const all = value ?? [];
  const found = all.filter((t) => matchesFilter(t, filter)).reverse();
  const asked = route.query.get("number");
  const chosen = found.find(({ number }) => `${number}` === asked) ?? found[0];
  const address = (query: Record<string, string>) => href(["run", run.name, "transcripts"], query);
  const addressOf = ({ number }: TranscriptLine) => address({ ...filterQuery(filter), number: `${number}` });
  const change = (next: TranscriptFilter) =>
    go(address({ ...filterQuery(next), ...(asked === null ? {} : { number: asked }) }), true);
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
    // Scrolls to the chosen transcript.
    if (seen.current !== asked && top.current && top.current.getBoundingClientRect().top < 0)
      top.current.scrollIntoView();
    seen.current = asked;
  }, [asked]);
  if (error && !value) return <Notice bad>{error.message}</Notice>;
  const place = chosen ? found.indexOf(chosen) : -1;
  return (
    <>
      <TranscriptTools all={all} filter={filter} change={change} />
      <div ref={top} class="row turn-over">
        <span>
          <b>{found.length === all.length ? found.length : `${found.length} of ${all.length}`}</b>{" "}
          {all.length === 1 ? "transcript" : "transcripts"}, newest first
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
            All of them are by the teacher that the model imitates.{" "}
            {run.state === "running"
              ? "Completions of the model follow after imitation."
              : "The run ended before the model generated any."}
          </span>
        )}
      </div>
      <div class="reader">
        <TextList found={found} chosen={chosen} isRead={value !== undefined} addressOf={addressOf} />
        {chosen && <Reader run={run.name} all={all} chosen={chosen} filter={filter} />}
      </div>
    </>
  );
}
