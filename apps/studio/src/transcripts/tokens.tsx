import { isSampled, isTrained } from "@reins/studio/wire";
import { useRef, useState } from "preact/hooks";
import { short } from "../format.ts";
import { colorFor, numberFor, type Tint, type TintRange } from "./tint.ts";
import { spansOf, speakerOf, specialName, type TokenSpan, type Transcript } from "./transcript.ts";

interface Look {
  readonly of: Transcript;
  readonly tint: Tint;
  readonly range: TintRange | undefined;
}

/** The tokens of a transcript, coloured, by span; `brief` leaves out the prompt. */
export function Tokens({ brief, ...look }: Look & { brief?: boolean }) {
  const t = look.of;
  const root = useRef<HTMLDivElement>(null);
  const all = spansOf(t);
  const own = all.findIndex(({ maker }) => isTrained(maker));
  const shown = all.slice(brief ? Math.max(0, own) : 0);
  let segment = 0;
  return (
    <div class="talk" ref={root}>
      {shown.map((passage) => {
        const isNew = passage.segment !== segment;
        segment = passage.segment;
        return (
          <div key={passage.from}>
            {isNew && <Rewritten t={t} segment={segment} first={shown[0].from} root={() => root.current} />}
            <div class={`passage ${isTrained(passage.maker) ? "own" : ""}`}>
              <span class="speaker">{speakerOf(passage.maker)}</span>
              <div>
                <div class="tokens">
                  {passage.from === 0 && <Piece token={t.first} />}
                  {t.tokens.slice(passage.from, passage.to).map((token, k) => (
                    <Token key={passage.from + k} i={passage.from + k} token={token} {...look} />
                  ))}
                </div>
                <Sums t={t} passage={passage} />
              </div>
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** Marks where the context was rewritten, with a link to the token that it continues from. */
function Rewritten(props: {
  t: Transcript;
  segment: number;
  /** Index of the first token shown. */
  first: number;
  root(): HTMLElement | null;
}) {
  const { t, segment, first, root } = props;
  const { parent } = t.segments[segment] ?? {};
  const title = `Segment ${segment + 1}: the context was rewritten.`;
  if (!parent || parent.step < 0)
    return <p class="soft anew">{title} It shares no prefix with the earlier context.</p>;
  const { step } = parent;
  const words = t.tokens.slice(Math.max(0, step - 5), step + 1).join("");
  const from = `It continues segment ${parent.segment + 1} after token ${step}`;
  if (step < first) return <p class="soft anew">{`${title} ${from}, which is not shown here.`}</p>;
  return (
    <p class="soft anew">
      {title}{" "}
      <a
        href={location.hash}
        onClick={(e) => {
          e.preventDefault();
          const target = root()?.querySelector<HTMLElement>(`[data-token="${step}"]`);
          target?.scrollIntoView({ block: "center" });
          target?.classList.add("pointed");
          setTimeout(() => target?.classList.remove("pointed"), 3000);
        }}
      >
        {from}
      </a>
      : <q>{words}</q>
    </p>
  );
}

/** The number of tokens and the sums of a reply. */
function Sums({ t, passage: { maker, from, to } }: { t: Transcript; passage: TokenSpan }) {
  const sum = (list: readonly (number | null)[]) =>
    list.slice(from, to).reduce<number>((s, x) => s + (x ?? 0), 0);
  const reward = sum(t.rewards);
  if (!isTrained(maker)) return reward ? <p class="sums soft">reward {short(reward)}</p> : null;
  return (
    <p class="sums soft">
      <b class={reward > 0 ? "good" : reward < 0 ? "bad" : ""}>reward {short(reward)}</b>
      {`, ${to - from} token${to - from === 1 ? "" : "s"}`}
      {isSampled(maker) && `, log-probability ${short(sum(t.logProbs))}`}
      {t.advantages && `, advantage ${short(sum(t.advantages) / (to - from))}`}
    </p>
  );
}

/** One token, coloured. */
const Token = ({ of: t, tint, range, i, token }: Look & { i: number; token: string }) => (
  <Piece
    token={token}
    data-token={i}
    style={{ background: colorFor(tint, numberFor(t, tint, i), t.makers[i], range) }}
    title={titleOf(t, i)}
  />
);

/** The text of a token. Special tokens are collapsed until they are clicked. */
function Piece({
  token,
  ...rest
}: {
  token: string;
  "data-token"?: number;
  style?: { background: string | undefined };
  title?: string;
}) {
  const [open, setOpen] = useState(false);
  const name = specialName(token);
  if (name === undefined)
    return (
      <span class="token" {...rest}>
        {token}
      </span>
    );
  return (
    <button
      type="button"
      class="token special"
      aria-expanded={open}
      aria-label={`Special token ${name}`}
      onClick={() => setOpen(!open)}
      {...rest}
    >
      {open ? token : name}
    </button>
  );
}

function titleOf(t: Transcript, i: number): string {
  const own = isTrained(t.makers[i]);
  const sampled = isSampled(t.makers[i]) && t.logProbs[i] !== null;
  return [
    `${i}: ${JSON.stringify(t.tokens[i])} by ${speakerOf(t.makers[i])}`,
    ...(own ? [] : ["not trained on"]),
    ...(sampled ? [`log-probability ${short(t.logProbs[i])}`] : []),
    ...(own && t.advantages ? [`advantage ${short(t.advantages[i])}`] : []),
    ...(own && t.entropies ? [`entropy ${short(t.entropies[i])}`] : []),
    ...(t.rewards[i] ? [`reward ${short(t.rewards[i])}`] : []),
  ].join("\n");
}
