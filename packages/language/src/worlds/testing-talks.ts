import { converse } from "../conversation/converse.ts";
import { talkVerdict } from "../conversation/talk-verifier.ts";
import type { Family, Problem } from "../tasks/family.ts";
import { characters } from "../tokenizers/characters.ts";

/** Holds a conversation in which the model says the given turns, for tests: what it heard after each, and what it came to. */
export async function saying(family: Family, problem: Problem, turns: readonly string[]) {
  const tokenizer = characters(family.alphabet);
  // A world must bear any text, of models that write more than its alphabet too.
  const tokens = (text: string) =>
    tokenizer.encode([...text].filter((c) => family.alphabet.includes(c)).join(""));
  const { conversed, truncated } = await converse(
    problem,
    async (_, __, turn) =>
      turn < turns.length
        ? {
            text: turns[turn],
            by: "policy",
            written: { tokens: [...tokens(turns[turn]), tokenizer.end], ended: "end" },
          }
        : undefined,
    { family, tokenizer, seed: 1 },
  );
  const heard = conversed.messages.slice(1).filter((m) => m.role !== "assistant");
  return { heard: heard.map((m) => m.content), truncated, verdict: await talkVerdict(family, conversed) };
}

/** The same of a problem that is nothing but its data: what was answered to each turn, what it scored, and what broke. */
export async function talkOf(family: Family, data: object, turns: readonly string[], level = 1) {
  const { heard, verdict } = await saying(family, { prompt: "", answer: "", data, level }, turns);
  const { score, failed } = verdict;
  return { answers: heard, score, ...(failed === undefined ? {} : { failed }) };
}
