import type { RunDetail } from "../../src/wire.ts";

/** Says why there is nothing to play, and how there would be. */
export function NoEpisodes({ run }: { run: RunDetail }) {
  const { notes } = run.summary ?? {};
  const reasons = (Array.isArray(notes) ? notes : []).filter(
    (note) => typeof note === "string" && note.startsWith("No episode"),
  );
  return (
    <div class="empty">
      <h2>No episode was recorded</h2>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <p>
        One is recorded whenever the agent is measured: at the end of training, and on the way with
        --eval-every, unless --eval-episodes is 0.
      </p>
      <pre>
        npx reins train {run.algorithm} {run.env} --eval-every 20k
      </pre>
    </div>
  );
}
