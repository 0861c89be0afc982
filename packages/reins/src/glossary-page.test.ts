import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms } from "@reins/algorithms";
import { expect, it } from "vitest";
import { entries, exportsOf } from "./testing-exports.ts";
import { root, sources } from "./testing-wording.ts";

const page = readFileSync(join(root, "docs/glossary.md"), "utf8");
const rows = [...page.matchAll(/^\| (?!term|---)(.*) \|$/gm)].map((match) =>
  match[1].split(" | ").map((cell) => cell.trim()),
);

it("every row has a term, names and a page that exists", () => {
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    expect(row.length, row[0]).toBe(6);
    const target = /^\[[^\]]+\]\(([^)#]+)\)$/.exec(row[5])?.[1];
    expect(target, row[0]).toBeDefined();
    expect(existsSync(join(root, "docs", target!)), `${row[0]}: ${target}`).toBe(true);
  }
});

it.each([
  "replay buffer",
  "discount factor",
  "reward model",
  "rollout workers",
  "vectorized environments",
  "callbacks",
  "GAE",
  "policy",
  "critic",
  "minibatch",
  "n_steps",
  "learning_starts",
  "target network",
  "KL penalty",
  "group size",
  "completion",
  "tool call",
  "chat template",
  "entropy bonus",
  "gradient norm",
  "sampling temperature",
  "loss mask",
  "checkpoint",
  "learning rate schedule",
  "hyperparameter tuning",
  "TensorBoard",
  "early stopping",
  "action mask",
  "frame stacking",
  "imitation learning",
  "LoRA",
  "offline RL",
  "policy network",
  "evaluation callback",
  "normalize observations",
  "wandb",
  "KV cache",
  "ONNX",
])("%s leads to a page", (term) => {
  expect(rows.filter(([first]) => first.includes(term)).map((row) => row[5])).not.toEqual([]);
});

it("links the renamed exports", () => {
  expect(page).toContain("(renamed.md)");
});

it("every name of Reins exists", () => {
  const fields = sources()
    .filter((file) => /^packages\/\w+\/src\/.*\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(root, file), "utf8").matchAll(/\breadonly (\w+)\??:|^ {2}(?:async )?(\w+)\??\(/gm),
    ])
    .map((match) => match[1] ?? match[2]);
  const known = new Set([
    ...fields,
    ...entries.flatMap(({ source }) => exportsOf(source).map(({ name }) => name)),
    ...Object.values(algorithms).flatMap(({ definition }) => Object.keys(definition.options)),
    ...readdirSync(join(root, "packages/reins/src/commands")).map((file) => `reins ${file.slice(0, -3)}`),
    ...entries.map(({ specifier }) => specifier),
  ]);
  const unknown = rows.flatMap(([term, ours]) =>
    [...ours.matchAll(/`([^`]+)`/g)].map((m) => m[1]).flatMap((n) => (known.has(n) ? [] : [`${term}: ${n}`])),
  );
  expect(unknown).toEqual([]);
});
