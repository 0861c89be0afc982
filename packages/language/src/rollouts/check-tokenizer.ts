import { fail } from "@reins/core";
import { sampleProblem } from "../tasks/sample-problem.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** Throws if a tokenizer cannot encode a task's texts: the model would see and answer other problems. */
export function checkTokenizer(
  { task, level, tokenizer, split = "train" }: TextStageOptions,
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
      `task ${task.id}`,
      `the tokenizer cannot encode ${lost.map((c) => JSON.stringify(c)).join(", ")} of its problems and answers. Use a tokenizer that includes ${lost.length > 1 ? "these characters" : "this character"}, for example a byte-level one.`,
    );
  /** Two encodings of the same character are equal; some tokenizers have only one of them. */
  const plain = (text: string) => text.normalize().trimStart();
  // Listed problems are checked themselves. A blank alone may be dropped at the border of a text, so whole texts are
  // checked.
  const alphabet = task.listed ? "" : task.alphabet;
  const lost = [...new Set(alphabet)].filter((c) => /\S/u.test(c) && !back(c).includes(c));
  if (lost.length) refuse(lost);
  for (let i = 0; i < looks; i++) {
    const { prompt, answer } = sampleProblem(task, level, split, i);
    for (const text of [prompt, answer]) {
      const read = back(text);
      if (plain(read) === plain(text)) continue;
      const special = [...(tokenizer.specialTokens ?? [])].find((name) => text.includes(name));
      if (special !== undefined)
        fail(
          `task ${task.id}`,
          `the text ${JSON.stringify(text.slice(0, 80))} contains ${special}, a special token of the tokenizer. Remove it: the model would read a token instead of these characters.`,
        );
      const missing = [...new Set(text)].filter((c) => !read.includes(c));
      if (missing.length) refuse(missing);
      fail(
        `task ${task.id}`,
        `the tokenizer changes ${JSON.stringify(text)} to ${JSON.stringify(read)}. Use a tokenizer that preserves texts.`,
      );
    }
  }
}
