import type { Answer } from "./messages.ts";

/** The latest answers of a language model to held-out problems. */
export function Answers({ answers }: { answers: readonly Answer[] }) {
  return (
    <section class="panel" aria-label="Answers">
      <div class="row play-head">
        <b>Answers</b>
        <span class="soft">to held-out problems</span>
      </div>
      {answers.length === 0 ? (
        <p class="soft">The first answers appear after the first update.</p>
      ) : (
        <table class="answers">
          <thead>
            <tr>
              <th>Prompt</th>
              <th>Answer</th>
              <th>Expected</th>
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
