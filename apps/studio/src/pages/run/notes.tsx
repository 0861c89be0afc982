import type { Marks, RunDetail } from "@reins/studio/wire";
import { useEffect, useState } from "preact/hooks";
import { ApiError, ofRun, send } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";

/** Edits the note and tags of a run. Changes saved elsewhere in the meantime are not overwritten without confirmation. */
export function Notes({ run, again }: { run: RunDetail; again(): void }) {
  const [note, setNote] = useState(run.note);
  const [tags, setTags] = useState(run.tags.join(", "));
  /** The saved text that the edits started from. */
  const [base, setBase] = useState({ note, tags, version: run.notesVersion });
  const [error, setError] = useState<string>();
  const [conflict, setConflict] = useState(false);
  const changed = note !== base.note || tags !== base.tags;
  const show = (saved: Marks) => {
    const joined = saved.tags.join(", ");
    setNote(saved.note);
    setTags(joined);
    setBase({ note: saved.note, tags: joined, version: saved.version });
    setConflict(false);
    setError(undefined);
  };
  const save = async (version: number) => {
    try {
      const changes = {
        ...(note === base.note ? {} : { note }),
        ...(tags === base.tags ? {} : { tags: tags.split(",") }),
      };
      show(await send<Marks>("PUT", ofRun(run.name, "marks"), { ...changes, version }));
    } catch (e) {
      setConflict(e instanceof ApiError && e.status === 409);
      setError((e as Error).message);
    }
    again();
  };
  const saved: Marks = { note: run.note, tags: run.tags, version: run.notesVersion };
  useEffect(() => {
    // Without unsaved edits, changes from elsewhere are shown.
    if (!changed && run.notesVersion > base.version) show(saved);
  }, [run.notesVersion]);
  return (
    <section class="panel">
      <h2>Notes</h2>
      {error && <Notice bad>{error}</Notice>}
      {conflict && (
        <>
          <p>
            Saved version: <q>{run.note}</q>
            {run.tags.length > 0 && `, tags ${run.tags.join(", ")}`}
          </p>
          <p class="row">
            <button type="button" onClick={() => save(run.notesVersion)}>
              Overwrite with mine
            </button>
            <button type="button" onClick={() => show(saved)}>
              Discard mine
            </button>
          </p>
        </>
      )}
      <textarea
        rows={3}
        aria-label="A note about this run"
        placeholder="What was this run for? What came out?"
        value={note}
        onInput={(e) => setNote(e.currentTarget.value)}
      />
      <div class="row" style={{ marginTop: "8px" }}>
        <input
          aria-label="Tags, separated by commas"
          placeholder="Tags: best, slow"
          value={tags}
          onInput={(e) => setTags(e.currentTarget.value)}
        />
        <button
          type="button"
          class={changed ? "main" : ""}
          disabled={!changed || conflict}
          onClick={() => save(base.version)}
        >
          Save
        </button>
      </div>
    </section>
  );
}
