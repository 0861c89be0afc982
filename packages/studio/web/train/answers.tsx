import type { Answer } from "./messages.ts";

/** What a language model answers to problems that training never sees, as it is asked again and again. */
export function Answers({ answers }: { answers: readonly Answer[] }) {
  return (
    <section class="panel" aria-label="Its answers">
      <div class="row play-head">
        <b>Its answers</b>
        <span class="soft">to problems that it never learns from</span>
      </div>
      {answers.length === 0 ? (
        <p class="soft">It is asked as soon as it has seen its first examples.</p>
      ) : (
        <table class="answers">
          <thead>
            <tr>
              <th>Asked</th>
              <th>It says</th>
              <th>Right would be</th>
            </tr>
          </thead>
          <tbody>
            {answers.map(({ prompt, answer, right, score }) => (
              <tr key={prompt}>
                <td class="mono">{prompt}</td>
                <td class={`mono ${score >= 1 ? "good" : "wrong"}`}>
                  {answer || "(nothing)"} {score >= 1 ? "✓" : "✗"}
                </td>
                <td class="mono soft">{right}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
