import type { RunDetail } from "../../src/wire.ts";

/** Says why there is nothing to play, or how there would be. */
export function NoEpisodes({ run }: { run: RunDetail }) {
  const { notes } = run.summary ?? {};
  const reasons = (Array.isArray(notes) ? notes : []).flatMap((note) => {
    const [, reason] = /^No episode was recorded: (.*)$/s.exec(String(note)) ?? [];
    return reason ?? [];
  });
  return (
    <div class="empty">
      <h2>No episode was recorded</h2>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {reasons.length === 0 && (
        <p>
          One is recorded whenever the agent is measured: at the end of training, and on the way with
          --eval-every (in a program evalEvery), unless --eval-episodes is 0.
        </p>
      )}
    </div>
  );
}
