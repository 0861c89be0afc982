import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chatMl } from "@reins/language";
import { describe, expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url)),
  "hf",
);

function written(lines: readonly (object | string)[], name = "examples.jsonl", at = folder()): string {
  const file = join(at, name);
  writeFileSync(
    file,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  return file;
}

function modelFolder(): string {
  const at = folder();
  cpSync(join(fixtures, "llama", "config.json"), join(at, "config.json"));
  cpSync(join(fixtures, "tokenizer.json"), join(at, "tokenizer.json"));
  writeFileSync(join(at, "chat_template.jinja"), chatMl);
  return at;
}

const user = { role: "user", content: "2+2?" };
const sums = Array.from({ length: 20 }, (_, i) => ({ prompt: `${i}+1=`, completion: `${i + 1}` }));

describe("reins data check", () => {
  it("reports formats, faults by line, splits and duplicates", async () => {
    const file = written([
      ...sums,
      sums[3],
      '{"prompt": ',
      { prompt: "?" },
      { prompt: "?" },
      { messages: [{ role: "human", content: "?" }] },
      { prompt: "2+2?", chosen: "4", rejected: "5" },
      { prompt: "2+2?", chosen: "4", rejected: "4" },
    ]);
    const { code, out, err } = await reins("data", "check", file);
    expect([code, err]).toEqual([0, ""]);
    for (const part of [
      "22 usable lines of 27",
      "21 completion, 1 preference",
      "1 example repeated",
      "5 lines cannot be used",
      `${file}, line 22\n    invalid JSON`,
      `${file}, line 23; ${file}, line 24\n    the line has a prompt, but no completion`,
      'the role of messages[0] is "human"; it must be one of',
      "chosen and rejected are equal",
      "0+1=⟦1⟧",
    ])
      expect(out).toContain(part);
    const found = JSON.parse((await reins("data", "check", file, "--json")).out);
    expect(found).toMatchObject({
      lines: 27,
      usable: 22,
      kinds: { completion: 21, preference: 1 },
      repeated: 1,
      leaked: 0,
    });
    expect(found.faults.map((f: { count: number }) => f.count)).toEqual([2, 1, 1, 1]);
    expect(found.train + found.test).toBe(22);
  });

  it("names chosen and rejected completions as the chat template renders them", async () => {
    const file = written([
      { prompt: "2+2?", chosen: "4", rejected: "5" },
      { prompt: "1+1?", completions: ["2", "3"], scores: [0.9, 0.1] },
      { prompt: "1+1?", completion: "3", label: false },
    ]);
    const { out } = await reins("data", "check", file, "--model", modelFolder());
    const asked = (sum: string) => `  <|im_start|>user\n  ${sum}<|im_end|>\n  <|im_start|>assistant\n`;
    for (const [heading, sum, answer] of [
      ["chosen", "2+2?", "4"],
      ["rejected", "2+2?", "5"],
      ["0.9", "1+1?", "2"],
      ["0.1", "1+1?", "3"],
      ["undesirable", "1+1?", "3"],
    ])
      expect(out).toContain(`  ${heading}:\n${asked(sum)}  ⟦${answer}`);
  });

  it("finds held-out prompts that are also trained on, in one file or in several", async () => {
    const own = written([
      { ...sums[0], split: "train" },
      { ...sums[0], completion: "one", split: "test" },
      sums[1],
    ]);
    expect((await reins("data", "check", own)).out).toContain(
      `1 held-out prompt also in the training split: ${own}, line 2`,
    );
    const at = folder();
    const train = written(sums.slice(0, 10), "train.jsonl", at);
    const test = written(sums.slice(8), "test.jsonl", at);
    const { out } = await reins("data", "check", train, test);
    expect(out).toContain(`2 held-out prompts also in the training split: ${test}, line 1; ${test}, line 2`);
  });

  it("with a model counts tokens and shows the loss mask", async () => {
    const long = { prompt: "?", completion: "one two three ".repeat(200) };
    const calls = {
      messages: [user, { role: "assistant", content: "", tool_calls: [{ function: { name: "add" } }] }],
    };
    const file = written([...sums, long, calls]);
    const { code, out } = await reins("data", "check", file, "--model", modelFolder());
    expect(code).toBe(0);
    expect(out).toMatch(/tokens +50% \d+, 90% \d+, 99% \d+, maximum \d{3,} \(21 examples\)/);
    expect(out).toContain("1 of 21 exceed the model's context");
    expect(out).toMatch(/unrendered +1 example: .*line 22: chat: a turn has tool_calls/);
    expect(out).toContain("<|im_start|>assistant\n  ⟦1<|im_end|>⟧");
  });

  it("is wrong usage without a file, and fails where no line can be used", async () => {
    expect((await reins("data")).code).toBe(2);
    expect((await reins("data", "check")).err).toContain("missing file");
    expect((await reins("data", "check", "missing.jsonl")).err).toContain("the file does not exist");
    const { code, out } = await reins("data", "check", written(["[]", "{}"]));
    expect([code, out]).toEqual([1, expect.stringContaining("2 lines cannot be used")]);
    expect(out).toContain("0 usable lines of 2");
  });
});
