import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel } from "@reins/language";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { folder } from "./cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
const root = fileURLToPath(new URL("../../../", import.meta.url));
const fixtures = join(process.env.REINS_FIXTURES ?? join(root, "fixtures"), "hf");
const { argv } = process;

afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

/** Runs an example from a shell for a few seconds; returns its output. */
async function example(name: string, ...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line = "") => void lines.push(line));
  process.argv = [...argv.slice(0, 2), ...args, "--quick"];
  vi.resetModules();
  await import(/* @vite-ignore */ join(root, "examples", name));
  return lines.join("\n");
}

it("tests and documents every example", () => {
  const names = readdirSync(join(root, "examples")).filter((f) => f.endsWith(".ts") && f !== "show.ts");
  expect(names.sort()).toEqual([
    "ai-agent.ts",
    "calculator-agent.ts",
    "custom-task.ts",
    "guesser.ts",
    "hugging-face-lora.ts",
    "json-to-schema.ts",
    "openai-agent.ts",
    "reward-model.ts",
  ]);
  expect(readdirSync(join(root, "examples/control")).sort()).toEqual(Object.keys(control).sort());
  const page = readFileSync(join(root, "examples/README.md"), "utf8");
  for (const name of Object.keys(control)) expect(page).toContain(`examples/control/${name}`);
  for (const name of names) expect(page).toContain(`examples/${name}`);
});

/** Expected output of the control examples. */
const control: { readonly [name: string]: RegExp } = {
  "own-environment.ts": /^The checker finds nothing wrong.*\nA day costs \d+\.\d\.\n.* chooses [012] of 2\.$/,
  "own-network.ts": /^ppo balances for \d+ steps\.\ndqn balances for \d+ steps\.$/,
  "own-algorithm.ts": /^mine balances for \d+ steps\.\ncalm-ppo balances for \d+ steps\.$/,
  "own-wrapper.ts": /^It balances for \d+ steps\.$/,
  "pictures.ts": /^It catches \d+ of 100\.$/,
};

for (const [name, says] of Object.entries(control)) {
  const tags = name === "pictures.ts" ? ["slow"] : [];

  it(`control: ${name}`, { tags }, async () => {
    expect(await example(join("control", name))).toMatch(says);
  });
}

it("with a tool and without", { tags: ["slow"] }, async () => {
  const said = await example("calculator-agent.ts");
  for (const how of ["With", "Without"])
    expect(said).toMatch(new RegExp(`^${how} a calculator: \\d+ % right`, "m"));
});

it("a game of many turns", async () => {
  const said = await example("guesser.ts");
  expect(said).toMatch(/^Before: \d+ % of the letters .* After: \d+ %\./m);
  expect(said.match(/^ {2}\d+ {2}\S/gm)?.length).toBe(3);
});

it("a reward model of known utilities", async () => {
  const [, , row] = /^(\S+ .*)\n(1 .*)$/m.exec(await example("reward-model.ts")) as RegExpExecArray;
  const [seed, correlation, between, accuracy, best] = row.split(/\s+/).map(Number);
  expect([seed, best > 0.7]).toEqual([1, true]);
  // A few hundred pairs show that it learns; the recovery of utilities is measured in algorithms.
  for (const learned of [correlation, between, accuracy - 0.5]) expect(learned).toBeGreaterThan(0.05);
});

it("a custom language task", async () => {
  const said = await example("custom-task.ts");
  expect(said).toMatch(/^\d+ % of 16 held-out problems are solved/m);
  expect(said.match(/^ {2}\d+<\?<\d+= .* {2}[✓✗]$/gm)?.length).toBe(5);
});

it("JSON to a schema: the constraint gives the form even to an untrained model", {
  tags: ["slow"],
}, async () => {
  const said = await example("json-to-schema.ts");
  expect(said).toMatch(/^from nothing +0 % +0 % +100 % +\d+ %$/m);
  for (const row of ["after imitation", "after reinforcement"])
    expect(said).toMatch(new RegExp(`^${row} +\\d+ % +\\d+ % +100 % +\\d+ %$`, "m"));
});

/** Whether an agent package is installed. */
function has(name: string): boolean {
  try {
    return createRequire(join(root, "examples/")).resolve(name) !== "";
  } catch {
    return false;
  }
}

it.skipIf(!has("openai"))("an agent written with the openai package", async () => {
  const said = await example("openai-agent.ts");
  expect(said).toMatch(/^Before: \d+ % of its answers are right\. After: \d+ %\. Examples:$/m);
  expect(said.match(/^ {2}> \d+\? {2}/gm)?.length).toBe(3);
});

it.skipIf(!has("ai"))("an agent written with the ai package", { tags: ["slow"] }, async () => {
  const said = await example("ai-agent.ts");
  expect(said).toMatch(/^Before: \d+ % succeed\. After: \d+ %\. Examples:$/m);
  expect(said.match(/^ {2}> \d+\? {2}/gm)?.length).toBe(3);
});

it("adapters on a Hugging Face folder, written whole", async () => {
  const from = folder();
  cpSync(join(fixtures, "llama"), from, { recursive: true });
  cpSync(join(fixtures, "tokenizer.json"), join(from, "tokenizer.json"));
  const said = await example("hugging-face-lora.ts", from, "sorting");
  expect(said).toContain("a model of the family llama");
  const to = /The whole model is in (\S+)\./.exec(said)![1];
  onTestFinished(() => rmSync(dirname(to), { recursive: true, force: true }));
  expect((await loadModel(to)).options).toEqual((await loadModel(from)).options);
  expect(existsSync(join(to, "tokenizer.json"))).toBe(true);
});
