import { short } from "../words.ts";
import { colorFor, isOwn, numberFor, passagesOf, type Tint, type Transcript } from "./transcript.ts";

/** Whose word it is. */
const speakers: Readonly<Record<string, string>> = {
  policy: "model",
  greedy: "model",
  teacher: "teacher",
  environment: "world",
  prompt: "prompt",
};

/** A transcript, passage by passage, each token coloured. */
export function Tokens({ of: t, tint }: { of: Transcript; tint: Tint }) {
  const scale = scaleOf(t, tint);
  let segment = 0;
  return (
    <div class="talk">
      {passagesOf(t).map((p) => {
        const anew = p.segment !== segment;
        segment = p.segment;
        return (
          <div key={p.from}>
            {anew && <p class="soft anew">What the model saw was put anew here.</p>}
            <div class={`passage ${isOwn(p.maker) ? "own" : ""}`}>
              <span class="speaker">{speakers[p.maker] ?? p.maker}</span>
              <div class="tokens">
                {p.from === 0 && t.first}
                {t.tokens.slice(p.from, p.to).map((token, k) => {
                  const i = p.from + k;
                  const x = numberFor(t, tint, i);
                  return (
                    <span
                      key={i}
                      class="token"
                      data-token={i}
                      style={{ background: colorFor(tint, x, t.makers[i], scale) }}
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

function scaleOf(t: Transcript, tint: Tint): number {
  let most = 0;
  for (let i = 0; i < t.tokens.length; i++) most = Math.max(most, Math.abs(numberFor(t, tint, i) ?? 0));
  return most;
}

function titleOf(t: Transcript, i: number): string {
  const own = isOwn(t.makers[i]);
  return [
    `${i}: ${JSON.stringify(t.tokens[i])} by ${speakers[t.makers[i]] ?? t.makers[i]}`,
    ...(own ? [`log-probability ${short(t.logProbs[i])}`] : ["not learned from"]),
    ...(own && t.advantages ? [`advantage ${short(t.advantages[i])}`] : []),
    ...(own && t.entropies ? [`entropy ${short(t.entropies[i])}`] : []),
    ...(t.rewards[i] ? [`reward ${short(t.rewards[i])}`] : []),
  ].join("\n");
}
