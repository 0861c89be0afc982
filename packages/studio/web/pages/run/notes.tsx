import { useState } from "preact/hooks";
import type { Marks, RunDetail } from "../../../src/wire.ts";
import { ofRun, send } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";

/** What a person wrote about a run. */
export function Notes({ run, again }: { run: RunDetail; again(): void }) {
  const [note, setNote] = useState(run.note);
  const [tags, setTags] = useState(run.tags.join(", "));
  /** What was there when one began to write. */
  const [begun, setBegun] = useState({ note, tags });
  const [error, setError] = useState<string>();
  const changed = note !== begun.note || tags !== begun.tags;
  const save = async () => {
    try {
      // What was not changed here is sent as it is known now: somebody else may have changed it.
      const kept = await send<Marks>("PUT", ofRun(run.name, "marks"), {
        note: note === begun.note ? run.note : note,
        tags: tags === begun.tags ? run.tags : tags.split(","),
      });
      setBegun({ note: kept.note, tags: kept.tags.join(", ") });
      setNote(kept.note);
      setTags(kept.tags.join(", "));
      setError(undefined);
      again();
    } catch (e) {
      setError((e as Error).message);
    }
  };
  return (
    <section class="panel">
      <h2>Notes</h2>
      {error && <Notice bad>{error}</Notice>}
      <textarea
        rows={3}
        aria-label="A note about this run"
        placeholder="What was this run for? What came out?"
        value={note}
        onInput={(e) => setNote(e.currentTarget.value)}
      />
      <div class="row" style={{ marginTop: "8px" }}>
        <input
          aria-label="Tags, with commas between them"
          placeholder="tags, with, commas"
          value={tags}
          onInput={(e) => setTags(e.currentTarget.value)}
        />
        <button type="button" class={changed ? "main" : ""} disabled={!changed} onClick={save}>
          Keep
        </button>
      </div>
    </section>
  );
}
