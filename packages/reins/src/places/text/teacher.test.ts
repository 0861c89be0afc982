import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../../cli/testing.ts";
import { load, resume, train } from "../../index.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);

/** A student and a teacher of other families with one tokenizer, and a file of problems. */
function place() {
  const at = folder();
  const models = ["llama", "qwen2"].map((name) => {
    const to = join(at, name);
    cpSync(join(fixtures, name), to, { recursive: true });
    cpSync(join(fixtures, "tokenizer.json"), join(to, "tokenizer.json"));
    return to;
  });
  const file = join(at, "problems.jsonl");
  const problems = Array.from({ length: 20 }, (_, i) => ({ prompt: `${i}+1=`, answer: `${i + 1}` }));
  writeFileSync(file, problems.map((p) => JSON.stringify(p)).join("\n"));
  return { at, student: models[0], teacher: models[1], file };
}

describe("a teacher's folder", () => {
  it("is distilled with one command, and the run resumes exactly", async () => {
    const { at, student, teacher, file } = place();
    const path = join(at, "run");
    const { code, err } = await reins(
      ...["train", "distill", file, "--model", student, "--teacher", teacher, "--lora", "2", "--quiet"],
      ...[
        "--on-policy",
        "0.5",
        "--batch",
        "4",
        "--env-max-tokens",
        "4",
        "--steps",
        "60",
        "--eval-episodes",
        "2",
      ],
      ...["--directory", path, "--seed", "3"],
    );
    expect([code, err]).toEqual([0, ""]);
    const rows = readFileSync(join(path, "metrics.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(rows.at(-1)!)["loss/distillation"]).toBeGreaterThan(0);
    const resumed = await resume(path, { steps: 120, evalEpisodes: 2 });
    const whole = await train({
      algorithm: "distill",
      env: file,
      envOptions: { folder: student, teacher, lora: 2, maxTokens: 4 },
      settings: { onPolicy: 0.5, batch: 4 },
      steps: 120,
      evalEpisodes: 2,
      seed: 3,
    });
    expect({ ...resumed.run.metrics }).toEqual({ ...whole.run.metrics });
    expect(typeof (await load(path)).act("1+1=")).toBe("string");
  });

  it("must have the student's tokenizer", async () => {
    const { student, teacher, file } = place();
    const path = join(teacher, "tokenizer.json");
    const tokenizer = JSON.parse(readFileSync(path, "utf8"));
    const [one, other] = Object.keys(tokenizer.model.vocab).filter((t) => /^[a-z]$/.test(t));
    const { [one]: a, [other]: b } = tokenizer.model.vocab;
    Object.assign(tokenizer.model.vocab, { [one]: b, [other]: a });
    writeFileSync(path, JSON.stringify(tokenizer));
    await expect(
      train({ algorithm: "distill", env: file, envOptions: { folder: student, teacher } }),
    ).rejects.toThrow(
      `token ${Math.min(a, b)} is "${other}" for the teacher and "${one}" for the student, and distillation compares`,
    );
    await expect(
      train({ algorithm: "distill", env: file, envOptions: { folder: student, teacher: 3 } }),
    ).rejects.toThrow("teacher is 3; it must be a path");
  });
});
