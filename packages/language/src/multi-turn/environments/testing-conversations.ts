import type { Problem, TextTask } from "../../tasks/text-task.ts";
import { characters } from "../../tokenizers/characters.ts";
import { conversationVerdict } from "../conversation-verifier.ts";
import { converse } from "../converse.ts";

/** Runs a conversation with the given model turns, for tests: returns the replies and the result. */
export async function saying(task: TextTask, problem: Problem, turns: readonly string[]) {
  const tokenizer = characters(task.alphabet);
  // An environment must accept any text, also from models with a larger alphabet.
  const tokens = (text: string) =>
    tokenizer.encode([...text].filter((c) => task.alphabet.includes(c)).join(""));
  const { result, truncated } = await converse(
    problem,
    async (_, __, turn) =>
      turn < turns.length
        ? {
            text: turns[turn],
            span: { by: "policy", tokens: [...tokens(turns[turn]), tokenizer.end] },
            ended: "end",
          }
        : undefined,
    { task, tokenizer, seed: 1 },
  );
  const heard = result.messages.slice(1).filter((m) => m.role !== "assistant");
  return {
    heard: heard.map((m) => m.content),
    truncated,
    verdict: await conversationVerdict(task, result),
  };
}

/** Runs a conversation about a problem with only data: returns the replies, the score and the failure. */
export async function talkOf(task: TextTask, data: object, turns: readonly string[], level = 1) {
  const { heard, verdict } = await saying(task, { prompt: "", answer: "", data, level }, turns);
  const { score, failed } = verdict;
  return { answers: heard, score, ...(failed === undefined ? {} : { failed }) };
}
