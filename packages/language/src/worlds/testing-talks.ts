import { converse } from "../conversation/converse.ts";
import { talkVerdict } from "../conversation/talk-verifier.ts";
import type { Family } from "../tasks/family.ts";
import { characters } from "../tokenizers/characters.ts";

/** Holds a conversation with these turns in the model's place: what was answered to each, what it scored, and what broke. */
export async function talkOf(family: Family, data: object, turns: readonly string[], level = 1) {
  const tokenizer = characters(family.alphabet);
  const problem = { prompt: "", answer: "", data, level };
  const { conversed } = await converse(
    problem,
    async (_, __, turn) => {
      const text = turns[turn];
      return text === undefined
        ? undefined
        : { text, by: "policy", written: { tokens: tokenizer.encode(text), ended: "end" } };
    },
    { family, tokenizer, seed: 1 },
  );
  const answers = conversed.messages.filter((m) => m.role !== "assistant").map((m) => m.content);
  const { score, failed } = await talkVerdict(family, conversed);
  return { answers: answers.slice(1), score, ...(failed === undefined ? {} : { failed }) };
}
