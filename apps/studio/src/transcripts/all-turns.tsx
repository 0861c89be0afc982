import { short } from "../format.ts";
import type { Turn } from "./transcript.ts";

/** The turns of all roles of a conversation, with sums over those that are trained on. */
export const AllTurns = ({ turns, role }: { turns: readonly Turn[]; role: string }) => (
  <>
    <details class="all-turns" open>
      <summary>All turns of {new Set(turns.map(({ speaker }) => speaker)).size} speakers</summary>
      <ol class="talk">
        {turns.map((turn, i) => (
          <li key={i} class={`passage ${turn.isOwn ? "own" : ""}`}>
            <span class="speaker">{turn.speaker}</span>
            <div>
              <div class="tokens">{turn.content}</div>
              {turn.tokens !== undefined && <p class="sums soft">{sumsOf(turn)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </details>
    <p class="soft">The tokens in the context of {role}:</p>
  </>
);

const sumsOf = ({ tokens, logProb, reward, advantage }: Turn): string =>
  [
    `reward ${short(reward ?? 0)}`,
    `${tokens} token${tokens === 1 ? "" : "s"}`,
    ...(logProb === undefined ? [] : [`log-probability ${short(logProb)}`]),
    ...(advantage === undefined ? [] : [`advantage ${short(advantage)}`]),
  ].join(", ");
