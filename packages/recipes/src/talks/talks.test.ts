import { characters, draw, newModel, talkText, talkVerdict, taught } from "@reins/language";
import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { tableQuestions } from "./tables.ts";

const family = tableQuestions();
const tokenizer = characters(family.alphabet);
const start = newModel(
  { layers: 1, width: 8, heads: 1, context: 32, vocabulary: tokenizer.size },
  random.key(1),
);

it("is asked of tables with tools, where the way to the answer is known and mistakes are counted", async () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const level = 1 + (seed % 4);
    const problem = draw(family, level, "train", seed);
    const { conversed } = await taught({ family, level, start, tokenizer }, problem, seed);
    const { score, terms, formed } = await talkVerdict(family, conversed);
    const calls = conversed.messages.flatMap((m) => m.calls ?? []).length;
    const done = (conversed.state as { done: number }).done;
    expect(formed).toBe(true);
    // Who has gone all of the way says what the last table said.
    if (done === [1, 1, 1, 2][level - 1]) expect(score).toBe(1);
    if (level === 1) expect([score, terms?.needless]).toEqual([1, calls]);
    else expect(terms).toEqual({ needless: calls - done, missing: (level === 4 ? 2 : 1) - done });
    seen.add(`${level} ${score} ${calls}: ${talkText(conversed).split("\n").length}`);
  }
  // Each level is answered rightly and, but for the first, wrongly, with calls and without.
  expect([...seen].filter((s) => s.startsWith("4 1 2"))).toHaveLength(1);
  for (const start of ["1 1 0", "1 1 1", "2 0 0", "2 0 1", "2 1 1", "3 0 1", "3 1 1", "4 0 1", "4 0 2"])
    expect([...seen].some((s) => s.startsWith(start))).toBe(true);
});
