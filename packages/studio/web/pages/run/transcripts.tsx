import { useEffect, useState } from "preact/hooks";
import type { RunDetail, TranscriptLine } from "../../../src/wire.ts";
import { get, ofRun } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";
import { href, type Route } from "../../route.ts";
import { Tokens } from "../../transcripts/tokens.tsx";
import type { Tint, Transcript } from "../../transcripts/transcript.ts";
import { usePoll } from "../../use-poll.ts";
import { compact, short } from "../../words.ts";
import { allOf, type Wish, wished } from "./transcript-filter.ts";

const tints: readonly Tint[] = ["log-probability", "advantage", "reward", "provenance", "entropy"];

/** Texts of a run in words: found, read token by token, and beside other answers to the same. */
export function TranscriptsTab({ run, route }: { run: RunDetail; route: Route }) {
  const { value, error } = usePoll(
    () => get<TranscriptLine[]>(ofRun(run.name, "transcripts")),
    `${run.name} transcripts`,
    run.state === "running" ? 3000 : 0,
  );
  const [wish, setWish] = useState<Wish>(allOf);
  const [tint, setTint] = useState<Tint>("advantage");
  const all = value ?? [];
  const found = all.filter((t) => wished(t, wish)).reverse();
  const asked = route.query.get("number");
  const chosen = all.find(({ number }) => `${number}` === asked) ?? found[0];
  const group = chosen ? all.filter((t) => t.step === chosen.step && t.prompt === chosen.prompt) : [];
  if (error && !value) return <Notice bad>{error.message}</Notice>;
  return (
    <>
      <div class="toolbar">
        <input
          type="search"
          placeholder="Words of prompt or answer"
          aria-label="Words of prompt or answer"
          value={wish.words}
          onInput={(e) => setWish({ ...wish, words: e.currentTarget.value })}
        />
        <Bound title="Reward from" value={wish.reward} set={(reward) => setWish({ ...wish, reward })} />
        <Bound title="to" value={wish.rewardTo} set={(rewardTo) => setWish({ ...wish, rewardTo })} />
        <Bound title="Tokens from" value={wish.tokens} set={(tokens) => setWish({ ...wish, tokens })} />
        <label>
          Task
          <select value={wish.task} onChange={(e) => setWish({ ...wish, task: e.currentTarget.value })}>
            <option value="">any</option>
            {[...new Set(all.map((t) => t.task))].slice(0, 200).map((task) => (
              <option key={task} value={task}>
                {task}
              </option>
            ))}
          </select>
        </label>
        <label>
          Colour
          <select value={tint} onChange={(e) => setTint(e.currentTarget.value as Tint)}>
            {tints.map((t) => (
              <option key={t} value={t}>
                {t}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="reader">
        <ol class="panel texts" aria-label="Transcripts">
          {found.slice(0, 300).map((t) => (
            <li key={t.number}>
              <a
                href={href(["run", run.name, "transcripts"], { number: `${t.number}` })}
                aria-current={t === chosen ? "true" : undefined}
              >
                <span class="row">
                  <b class={(t.reward ?? 0) > 0 ? "good" : "soft"}>{short(t.reward)}</b>
                  <span class="soft">
                    at {compact(t.step)}, {t.tokens} tokens{t.by === "teacher" ? ", a teacher's" : ""}
                  </span>
                </span>
                <span class="cut">{t.prompt}</span>
                <span class="cut soft">{t.answer}</span>
              </a>
            </li>
          ))}
          {found.length === 0 && <li class="empty">{value ? "No text is like that." : "Reading …"}</li>}
        </ol>
        <div class="side-by-side">
          {chosen &&
            (group.length > 1 ? group : [chosen]).map((t) => (
              <One key={t.number} run={run.name} number={t.number} tint={tint} />
            ))}
        </div>
      </div>
    </>
  );
}

/** One transcript: the text, and what was said of it. */
function One({ run, number, tint }: { run: string; number: number; tint: Tint }) {
  const [text, setText] = useState<Transcript>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let over = false;
    get<Transcript>(ofRun(run, "transcripts", number)).then(
      (t) => over || setText(t),
      (e: Error) => over || setError(e.message),
    );
    return () => {
      over = true;
    };
  }, [run, number]);
  if (error) return <Notice bad>{error}</Notice>;
  if (!text) return <p class="soft">Reading …</p>;
  const terms = Object.entries(text.terms ?? {});
  return (
    <article class="panel" aria-label={`Transcript ${number}`}>
      <div class="row">
        <b>reward {short(text.reward)}</b>
        {text.score !== undefined && <span>score {short(text.score)}</span>}
        {terms.map(([name, x]) => (
          <span key={name} class="tag">
            {name} {short(x)}
          </span>
        ))}
        <span class="soft">
          {text.task}, after {compact(text.step)} steps
        </span>
      </div>
      {text.failed && <Notice bad>It failed: {text.failed}</Notice>}
      {tint === "entropy" && !text.entropies && (
        <p class="soft">The entropy of tokens was not kept by this run.</p>
      )}
      {tint === "advantage" && !text.advantages && (
        <p class="soft">This text was not learned from: it has no advantages.</p>
      )}
      <Tokens of={text} tint={tint} />
    </article>
  );
}

const Bound = (props: { title: string; value: string; set(value: string): void }) => (
  <label>
    {props.title}
    <input
      type="number"
      step="any"
      style={{ width: "84px" }}
      value={props.value}
      onInput={(e) => props.set(e.currentTarget.value)}
    />
  </label>
);
