import { fail } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { draw } from "../tasks/draw.ts";

/** Stops with the reason if a tokenizer cannot write a family's texts: the model would read and answer other problems. */
export function checkWriting(
  { family, level, tokenizer, split = "train" }: TextStageOptions,
  looks: number,
): void {
  const back = (text: string): string => {
    try {
      return tokenizer.decode(tokenizer.encode(text));
    } catch {
      return "";
    }
  };
  const refuse = (lost: readonly string[]) =>
    fail(
      `task ${family.id}`,
      `the tokenizer cannot write ${lost.map((c) => JSON.stringify(c)).join(", ")}, of which its problems and answers are made. The model would read and write something else. Use a tokenizer that knows ${lost.length > 1 ? "them" : "it"}; byte-level ones know everything.`,
    );
  /** Two ways to write the same character are the same text, of which some tokenizers know one. */
  const plain = (text: string) => text.normalize().trimStart();
  // Where problems are listed, they themselves tell. A blank alone may be left out as the border of a text: whole texts tell.
  const alphabet = family.listed ? "" : family.alphabet;
  const lost = [...new Set(alphabet)].filter((c) => /\S/u.test(c) && !back(c).includes(c));
  if (lost.length) refuse(lost);
  for (let i = 0; i < looks; i++) {
    const { prompt, answer } = draw(family, level, split, i);
    for (const text of [prompt, answer]) {
      const read = back(text);
      if (plain(read) === plain(text)) continue;
      const missing = [...new Set(text)].filter((c) => !read.includes(c));
      if (missing.length) refuse(missing);
      fail(
        `task ${family.id}`,
        `the tokenizer makes ${JSON.stringify(read)} of ${JSON.stringify(text)}. The model would read and write something else. Use a tokenizer that keeps texts as they are.`,
      );
    }
  }
}
