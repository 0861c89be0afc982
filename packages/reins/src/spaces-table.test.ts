import { readFileSync } from "node:fs";
import { a2c } from "@reins/algorithms";
import * as core from "@reins/core";
import { type Body, encoderFor } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue } from "@reins/core/spaces";
import * as tensors from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { train } from "./train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const page = readFileSync(new URL("../../../docs/networks.md", import.meta.url), "utf8");
const section = page.slice(page.indexOf("\n## What a body receives"), page.indexOf("\n## Files"));
/** Rows of the table: kind, space, tensors, default encoding, features, expression. */
const table = section
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| kind") && !line.startsWith("| ---"))
  .map((line) => line.slice(2, -2).split(" | "));

/** Evaluates an expression of the page; the exports of some modules are in scope. */
function valueOf<T>(expression: string, scope: object): T {
  const code = expression.replace(/^`|`$/g, "");
  return new Function(...Object.keys(scope), `return ${code};`)(...Object.values(scope)) as T;
}

/** Types and shapes of a tree of tensors, in the notation of the page. */
function described(tree: tensors.Tree, rows: number): string {
  if (tree instanceof tensors.Tensor)
    return `${tree.dtype} [${tree.shape.map((n, axis) => (axis === 0 && n === rows ? "rows" : n)).join(", ")}]`;
  if (Array.isArray(tree)) return `[${tree.map((part) => described(part, rows)).join(", ")}]`;
  const parts = Object.entries(tree as Record<string, tensors.Tree>);
  return `{ ${parts.map(([name, part]) => `${name}: ${described(part, rows)}`).join(", ")} }`;
}

/** A one-step environment with arbitrary observations of a space. */
function showing(observation: core.Space): core.Env {
  let rng = defaultRng(0);
  const see = () => sampleValue(observation, rng);
  return {
    spec: { id: "Showing-v0", observation, action: core.discrete(2) },
    reset({ seed } = {}) {
      if (seed !== undefined) rng = defaultRng(seed);
      return { observation: see() };
    },
    step: (action) => ({ observation: see(), reward: Number(action), terminated: true, truncated: false }),
  };
}

it("lists every kind of space", () => {
  const kinds = table.map(([, space]) => valueOf<core.Space>(space, core).kind);
  const all = "discrete multiDiscrete multiBinary box image simplex list text content graph dict tuple";
  expect([...new Set(kinds)].sort()).toEqual(all.split(" ").sort());
});

const rows = 7;
const settings = { envs: rows, steps: 2 };

it.each(table.filter(([, , received]) => !received.startsWith("refused")))(
  "%s is seen by a body as the page says",
  async (_, typed, received, _encoding, features, expression) => {
    const space = valueOf<core.Space>(typed, core);
    expect(encoderFor(space).features).toBe(Number(features));
    const seen = new Set<string>();
    const scope = (x: tensors.Tree) => ({ ...tensors, x });
    const encode = (x: tensors.Tree) => valueOf<tensors.Tensor>(expression, scope(x));
    const inputs = tensors.shapeOf(() => encode(columns(space, rows)))[1];
    const network = (): Body => ({
      features: inputs,
      apply(_weights, observation, leading) {
        const [first] = tensors.leaves(observation);
        if (leading === 1 && first.shape[0] === rows) seen.add(described(observation, rows));
        return encode(observation);
      },
    });
    await train({
      algorithm: a2c({ network, ...settings }),
      env: () => showing(space),
      steps: 28,
      evalEpisodes: 0,
    });
    expect([...seen]).toEqual([received]);
    await train({
      algorithm: a2c({ hidden: [4], ...settings }),
      env: () => showing(space),
      steps: 28,
      evalEpisodes: 0,
    });
  },
);

it.each(table.filter(([, , received]) => received.startsWith("refused")))(
  "%s is refused",
  async (_, typed) => {
    const space = valueOf<core.Space>(typed, core);
    const training = train({ algorithm: a2c(settings), env: () => showing(space), steps: 28 });
    await expect(training).rejects.toThrow("has no columns");
  },
);
