import type { TranscriptLine } from "@reins/studio/wire";
import { isTrained } from "@reins/studio/wire";
import { useRef, useState } from "preact/hooks";
import { compact, short } from "../../format.ts";
import { Notice } from "../../parts/notice.tsx";
import { AllTurns } from "../../transcripts/all-turns.tsx";
import { Legend } from "../../transcripts/legend.tsx";
import {
  canTint,
  lacking,
  rangeOf,
  type Tint,
  type TintRange,
  tintFor,
  tints,
} from "../../transcripts/tint.ts";
import { Tokens } from "../../transcripts/tokens.tsx";
import { openingOf, type Transcript, tokensText, turnsOfAll } from "../../transcripts/transcript.ts";
import { useTranscripts } from "../../transcripts/use-transcripts.ts";
import { groupOf, groupWords, matchesFilter, type TranscriptFilter } from "./transcript-filter.ts";
import { RewardText } from "./transcript-list.tsx";

/** A transcript beside the other samples of its problem, all on one colour scale. */
export function Reader(props: {
  run: string;
  all: readonly TranscriptLine[];
  chosen: TranscriptLine;
  filter: TranscriptFilter;
}) {
  const { run, all, chosen, filter } = props;
  const [wanted, setWanted] = useState<Tint>();
  const group = groupOf(all, chosen);
  const lines = group.filter((t) => matchesFilter(t, filter));
  const read = useTranscripts(
    run,
    lines.map((t) => t.number),
  );
  const texts = lines.flatMap(({ number }) => {
    const text = read.get(number);
    return typeof text === "object" ? text : [];
  });
  const last = useRef<Tint>("writer");
  const has = (t: Tint) => texts.length === 0 || canTint(texts, t);
  // The chosen colouring is kept where it is available, and does not change while transcripts load.
  const tint = texts.length === 0 ? last.current : wanted && has(wanted) ? wanted : tintFor(texts);
  last.current = tint;
  const range = rangeOf(texts, tint);
  const opening = texts[0] && openingOf(texts[0]);
  return (
    <div class="reading">
      <div class="row tint-row">
        <label>
          Colour
          <select value={tint} onChange={(e) => setWanted(e.currentTarget.value as Tint)}>
            {(Object.keys(tints) as Tint[]).map((t) => (
              <option key={t} value={t} disabled={!has(t)}>
                {tints[t]}
                {has(t) ? "" : " (none here)"}
              </option>
            ))}
          </select>
        </label>
        <Legend
          tint={tint}
          range={range}
          makers={[...new Set(texts.flatMap((t) => t.makers))]}
          isOfBatch={texts.some((t) => t.largestAdvantage !== undefined)}
        />
        {wanted && !has(wanted) && <span class="soft">{lacking[wanted]}</span>}
      </div>
      <p class="soft group-words">
        {group.length > 1 ? groupWords(group) : "The only recorded sample of this problem at this step"}
        {lines.length < group.length && `; ${group.length - lines.length} do not match the filter`}.
      </p>
      <div class="side-by-side">
        {lines.map((line) => {
          const text = read.get(line.number);
          return typeof text === "object" ? (
            <One
              key={line.number}
              number={line.number}
              text={text}
              {...{ tint, range }}
              chosen={line === chosen && lines.length > 1}
              brief={line !== chosen && openingOf(text) === opening}
            />
          ) : text === undefined ? (
            <p key={line.number} class="soft">
              Reading …
            </p>
          ) : (
            <Notice key={line.number} bad>
              {text}
            </Notice>
          );
        })}
      </div>
    </div>
  );
}

/** One transcript with its reward, score and number of tokens. */
function One(props: {
  number: number;
  text: Transcript;
  tint: Tint;
  range: TintRange | undefined;
  chosen: boolean;
  brief: boolean;
}) {
  const { number, text, tint, range, chosen, brief } = props;
  const terms = Object.entries(text.terms ?? {});
  const turns = brief ? [] : turnsOfAll(text);
  return (
    <article class={`panel ${chosen ? "chosen" : ""}`} aria-label={`Transcript ${number}`}>
      <div class="row">
        <RewardText title="reward " of={Number.isNaN(text.reward) ? null : text.reward} />
        {chosen && <span class="badge">chosen</span>}
        {text.score !== undefined && <span>score {short(text.score)}</span>}
        {terms.map(([name, x]) => (
          <span key={name} class="tag">
            {name} {short(x)}
          </span>
        ))}
        {!brief && (
          <span class="soft">
            {[
              text.task,
              text.role && `as ${text.role}`,
              `after ${compact(text.step)} tokens of training`,
              tokensText(text.tokens.length, text.makers.filter(isTrained).length),
              text.by === "teacher" && "by a teacher",
            ]
              .filter(Boolean)
              .join(", ")}
          </span>
        )}
      </div>
      {text.failed && <Notice bad>Failed: {text.failed}</Notice>}
      {turns.length > 0 && <AllTurns turns={turns} role={text.role ?? "the model"} />}
      <Tokens of={text} tint={tint} range={range} brief={brief} />
    </article>
  );
}
