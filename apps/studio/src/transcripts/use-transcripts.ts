import { useEffect, useState } from "preact/hooks";
import { get, ofRun } from "../api.ts";
import { type Transcript, transcriptFrom } from "./transcript.ts";

/** Transcripts by number, or the reason why one cannot be shown. Missing ones are still loading. */
export type Texts = ReadonlyMap<number, Transcript | string>;

/** Loads some transcripts of a run. */
export function useTranscripts(run: string, numbers: readonly number[]): Texts {
  const [known, setKnown] = useState<{ run: string; texts: Texts }>({ run, texts: new Map() });
  const texts: Texts = known.run === run ? known.texts : new Map();
  useEffect(() => {
    let over = false;
    const keep = (number: number, text: Transcript | string) => {
      if (over) return;
      setKnown((k) => ({ run, texts: new Map([...(k.run === run ? k.texts : []), [number, text]]) }));
    };
    for (const number of numbers)
      if (typeof texts.get(number) !== "object")
        get<unknown>(ofRun(run, "transcripts", number)).then(
          (line) => {
            const text = transcriptFrom(line);
            keep(number, typeof text === "string" ? `Transcript ${number} cannot be read: ${text}.` : text);
          },
          (e: Error) => keep(number, e.message),
        );
    return () => {
      over = true;
    };
  }, [run, numbers.join()]);
  return texts;
}
