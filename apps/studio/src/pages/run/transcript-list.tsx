import type { TranscriptLine } from "@reins/studio/wire";
import { useEffect, useRef, useState } from "preact/hooks";
import { compact, short } from "../../format.ts";
import { tokensText } from "../../transcripts/transcript.ts";

/** Transcripts listed at first, and added by each click. */
const page = 100;

/** The list of transcripts, newest first. */
export function TextList(props: {
  found: readonly TranscriptLine[];
  chosen: TranscriptLine | undefined;
  isRead: boolean;
  addressOf(text: TranscriptLine): string;
}) {
  const { found, chosen, isRead, addressOf } = props;
  const [shown, setShown] = useState(page);
  const list = useRef<HTMLOListElement>(null);
  const place = chosen ? found.indexOf(chosen) : -1;
  const end = Math.max(shown, place + 1);
  useEffect(() => {
    // Scrolls the list without the page.
    const [box, line] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
    if (!box || !line) return;
    const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }, [chosen?.number, place]);
  return (
    <ol ref={list} class="panel texts" aria-label="Transcripts">
      {found.slice(0, end).map((t) => (
        <li key={t.number}>
          <a href={addressOf(t)} aria-current={t === chosen ? "true" : undefined}>
            <span class="row">
              <RewardText of={t.reward} />
              <span class="soft">
                at {compact(t.step)}, {tokensText(t.tokens, t.trained)}
                {t.role ? `, ${t.role}` : ""}
                {t.by === "teacher" ? ", by a teacher" : ""}
              </span>
            </span>
            <span class="cut">{t.prompt}</span>
            <span class="cut soft">{t.answer}</span>
          </a>
        </li>
      ))}
      {found.length === 0 && (
        <li class="empty">{isRead ? "No transcripts match. Clear the filter." : "Reading …"}</li>
      )}
      {found.length > end && (
        <li class="more-texts">
          <button type="button" onClick={() => setShown(end + page)}>
            Show more ({end} of {found.length} shown)
          </button>
        </li>
      )}
    </ol>
  );
}

/** A reward: green above 0, red below. */
export const RewardText = ({ of, title = "" }: { of: number | null; title?: string }) => (
  <b class={(of ?? 0) > 0 ? "good" : (of ?? 0) < 0 ? "bad" : "soft"}>
    {title}
    {short(of)}
  </b>
);
