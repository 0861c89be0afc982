import { short } from "../words.ts";
import { colorFor, numberFor, type Tint, type TintRange } from "./tint.ts";
import { isOwn, isWritten, passagesOf, speakerOf, type Transcript } from "./transcript.ts";

/** A transcript, passage by passage, each token coloured; `brief` leaves out what was said before the model's first word. */
export function Tokens(props: { of: Transcript; tint: Tint; range: TintRange | undefined; brief?: boolean }) {
  const { of: t, tint, range, brief } = props;
  const all = passagesOf(t);
  const begin = brief
    ? Math.max(
        0,
        all.findIndex(({ maker }) => isOwn(maker)),
      )
    : 0;
  let segment = 0;
  return (
    <div class="talk">
      {all.slice(begin).map((p) => {
        const anew = p.segment !== segment;
        segment = p.segment;
        return (
          <div key={p.from}>
            {anew && <p class="soft anew">What the model saw was put anew here.</p>}
            <div class={`passage ${isOwn(p.maker) ? "own" : ""}`}>
              <span class="speaker">{speakerOf(p.maker)}</span>
              <div class="tokens">
                {p.from === 0 && t.first}
                {t.tokens.slice(p.from, p.to).map((token, k) => {
                  const i = p.from + k;
                  return (
                    <span
                      key={i}
                      class="token"
                      data-token={i}
                      style={{ background: colorFor(tint, numberFor(t, tint, i), t.makers[i], range) }}
                      title={titleOf(t, i)}
                    >
                      {token}
                    </span>
                  );
                })}
              </div>
            </div>
          </div>
        );
      })}
    </div>
  );
}

function titleOf(t: Transcript, i: number): string {
  const own = isOwn(t.makers[i]);
  const drawn = isWritten(t.makers[i]) && t.logProbs[i] !== null;
  return [
    `${i}: ${JSON.stringify(t.tokens[i])} by ${speakerOf(t.makers[i])}`,
    ...(own ? [] : ["not learned from"]),
    ...(drawn ? [`log-probability ${short(t.logProbs[i])}`] : []),
    ...(own && t.advantages ? [`advantage ${short(t.advantages[i])}`] : []),
    ...(own && t.entropies ? [`entropy ${short(t.entropies[i])}`] : []),
    ...(t.rewards[i] ? [`reward ${short(t.rewards[i])}`] : []),
  ].join("\n");
}
