import { useState } from "preact/hooks";

/** Copies a text, and says so for a while. */
export function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState("");
  const say = (word: string) => {
    setDone(word);
    setTimeout(() => setDone(""), 2000);
  };
  return (
    <button
      type="button"
      onClick={() =>
        // Pages that are not from this machine, nor by https, have no clipboard.
        (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
          () => say("Copied"),
          () => say("Cannot copy here"),
        )
      }
    >
      {done || "Copy"}
    </button>
  );
}
