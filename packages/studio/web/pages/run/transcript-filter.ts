import type { TranscriptLine } from "../../../src/wire.ts";

/** What texts are looked for; what is empty asks for nothing. */
export interface Wish {
  readonly words: string;
  readonly reward: string;
  readonly rewardTo: string;
  readonly tokens: string;
  readonly task: string;
}

/** Asks for nothing. */
export const allOf: Wish = { words: "", reward: "", rewardTo: "", tokens: "", task: "" };

/** Whether a text is what is looked for. */
export function wished(t: TranscriptLine, { words, reward, rewardTo, tokens, task }: Wish): boolean {
  const said = `${t.prompt} ${t.answer}`.toLowerCase();
  return (
    said.includes(words.toLowerCase()) &&
    (reward === "" || (t.reward ?? Number.NEGATIVE_INFINITY) >= Number(reward)) &&
    (rewardTo === "" || (t.reward ?? Number.POSITIVE_INFINITY) <= Number(rewardTo)) &&
    (tokens === "" || t.tokens >= Number(tokens)) &&
    (task === "" || t.task === task)
  );
}
