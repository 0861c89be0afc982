import { Run, text } from "@reins/core";
import { characters, newModel, textStage, textTask } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { onlineDpo } from "./online-dpo.ts";

setBackend("wasm");

/** Two turns, before the second of which the context is rebuilt. */
const task = textTask<object, object>({
  id: "rebuilt",
  about: "Write twice.",
  levels: 1,
  alphabet: "ab:",
  longest: { prompt: 2, answer: 3 },
  make: (generator) => ({ prompt: `${"ab"[generator.integers(2)]}:`, answer: "a", data: {} }),
  verify: (_, answer) => ({ score: answer.length }),
  episode: { turns: 2, turn: () => ({ say: ":" }), rebuild: () => [{ role: "user", content: "b:" }] },
});
const tokenizer = characters(task.alphabet);

it("refuses conversations in several segments, whose rows are not completions", async () => {
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 32, vocabulary: tokenizer.size },
    random.key(1),
  );
  const stage = textStage({ task, level: 1, start, tokenizer, rows: 16 });
  const env = { spec: { id: task.id, observation: text(2), action: text(3) }, stage };
  const run = new Run({ algorithm: onlineDpo({ groups: 4 }), env, steps: 1e6, seed: 3 });
  await expect(
    (async () => {
      for (let i = 0; i < 3; i++) await run.round();
    })(),
  ).rejects.toThrow("several segments");
});
