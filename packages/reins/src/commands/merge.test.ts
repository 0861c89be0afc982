import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadModel, lora, newModel, saveAdapters, saveCharacters, saveModel } from "@reins/language";
import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";

const alphabet = "abc .";

async function tinyModel(seed: number): Promise<string> {
  const here = folder();
  const shape = { layers: 1, width: 8, heads: 2, context: 16, vocabulary: alphabet.length + 2 };
  await saveModel(here, newModel({ ...shape, style: "llama" }, random.key(seed)), { end: 1, pad: 0 });
  await saveCharacters(here, alphabet);
  return here;
}

it("writes a folder with the mean of two models, and the tokenizer of the first", async () => {
  const [a, b, out] = [await tinyModel(1), await tinyModel(2), join(folder(), "merged")];
  const { code, out: said } = await reins("merge", a, b, "--out", out, "--weights", "3,1");
  expect({ code, said }).toEqual({ code: 0, said: `${out}   2 models merged by linear\n` });
  expect(existsSync(join(out, "tokenizer.json"))).toBe(existsSync(join(a, "tokenizer.json")));
  const [x, y, mean] = (await Promise.all([a, b, out].map(loadModel))).map(
    ({ params }) => (params as { tokens: { table: { data: Float32Array } } }).tokens.table.data,
  );
  mean.forEach((m, i) => {
    expect(m).toBeCloseTo(0.75 * x[i] + 0.25 * y[i], 6);
  });
});

it("names the model into which adapters are merged", async () => {
  const [base, adapters, out] = [await tinyModel(1), folder(), join(folder(), "merged")];
  await saveAdapters(adapters, lora(await loadModel(base), { rank: 2 }, random.key(2)));
  const { err, out: said } = await reins("merge", adapters, "--base", base, "--out", out);
  expect([err, said]).toEqual(["", `${out}   ${adapters} merged into ${base}\n`]);
});

it("says what is missing", async () => {
  const a = await tinyModel(1);
  expect((await reins("merge")).err).toContain("missing folders");
  expect((await reins("merge", a)).err).toContain("--out is required");
  expect((await reins("merge", a, "--out", "x", "--method", "mean")).err).toContain(
    "unknown method mean. Use one of linear, slerp",
  );
  expect((await reins("merge", a, "--out", "x", "--method", "ties")).err).toContain("Pass --base");
  expect((await reins("merge", a, a, "--out", "x", "--weights", "1,b")).code).toBe(2);
});
