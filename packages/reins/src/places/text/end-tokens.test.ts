import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Statistics } from "@reins/core/metrics";
import { endTokens, gateway, loadModel, loadTokenizer, newModel, saveModel, textTask } from "@reins/language";
import { random, type Tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder } from "../../cli/testing.ts";
import { textSource } from "./task.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const [text, turn, tool] = ["<|endoftext|>", "<|im_end|>", "</tool>"];
const template =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** A model that ends texts with one token, turns with another, and tool calls with a third, as Gemma and Phi-3. */
async function modelFolder() {
  const at = join(folder(), "model");
  mkdirSync(at);
  cpSync(join(fixtures, "tokenizer.json"), join(at, "tokenizer.json"));
  const config = { tokenizer_class: "PreTrainedTokenizerFast", eos_token: text, chat_template: template };
  writeFileSync(join(at, "tokenizer_config.json"), JSON.stringify(config));
  const { size } = await loadTokenizer(at);
  const shape = { layers: 1, width: 16, heads: 2, context: 256, vocabulary: size, style: "llama" } as const;
  await saveModel(at, newModel(shape, random.key(1)));
  const id = async (name: string) => (await loadTokenizer(at)).encode(name)[0];
  const ids = { text: await id(text), turn: await id(turn), tool: await id(tool) };
  writeFileSync(join(at, "generation_config.json"), JSON.stringify({ eos_token_id: [ids.tool, ids.text] }));
  return { at, ids };
}

it("answers end at the end of a turn and at the further end tokens of a model's folder", async () => {
  const { at, ids } = await modelFolder();
  expect([...(await endTokens(at, await loadTokenizer(at)))].sort()).toEqual([ids.turn, ids.tool].sort());
  const [served] = await gateway.engineOptions({ folder: at });
  expect(served.ends).toContain(ids.turn);

  const task = textTask<undefined>({
    id: "any",
    about: "",
    levels: 1,
    alphabet: "ab",
    longest: { prompt: 2, answer: 2 },
    make: (generator) => ({ prompt: `a${generator.integers(9)}`, answer: "b", data: undefined }),
    verify: () => ({ score: 0 }),
  });
  const { stage } = await textSource(task, { folder: at, maxTokens: 128 });
  const episodes = await stage
    .play({
      policy: stage.policy,
      weights: (await loadModel(at)).params as never,
      task: { next: () => Array.from({ length: 8 }, (_, seed) => ({ key: "any", seed, groupSize: 16 })) },
      statistics: new Statistics(),
      key: random.key(3),
    })
    .next();
  const answers = episodes.map(({ columns }) => {
    const by = (columns.by as Tensor).data;
    return [...(columns.action as Tensor).data].filter((_, i) => by[i] === by[by.length - 1]);
  });
  const ends = new Set(answers.map((tokens) => tokens.at(-1)));
  for (const end of Object.values(ids)) expect(ends).toContain(end);
  for (const tokens of answers)
    for (const end of Object.values(ids)) expect(tokens.slice(0, -1)).not.toContain(end);
});
