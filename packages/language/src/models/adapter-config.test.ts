import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { settingsFrom } from "./adapter-config.ts";
import { newModel } from "./language-model.ts";

const base = newModel(
  { layers: 1, width: 8, heads: 2, context: 16, vocabulary: 11, style: "llama" },
  random.key(4),
);
const settings = (fields: object) =>
  settingsFrom({ r: 2, lora_alpha: 4, ...fields }, base, "adapter_config.json", 0.2);

it("rejects patterns that backtrack without end", () => {
  const slow = "(.*)*(.*)*(.*)*x";
  for (const fields of [
    { target_modules: slow },
    { target_modules: ["q_proj"], rank_pattern: { [slow]: 4 } },
  ])
    expect(() => settings(fields)).toThrow("patterns of module names take more than 0.2 s to match");
  expect(settings({ target_modules: ".*(q|v)_proj" }).rank).toBe(2);
});
