import { useState } from "preact/hooks";

/** Copies a text, and confirms it briefly. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [done, setDone] = useState("");
  const say = (word: string) => {
    setDone(word);
    setTimeout(() => setDone(""), 2000);
  };
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() =>
        // The clipboard needs localhost or https.
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
