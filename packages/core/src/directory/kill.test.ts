import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RunDirectory } from "./directory.ts";
import { eventFiles, readEvents } from "./read-events.ts";
import { scratch } from "./testing.ts";
import { train } from "./testing-train.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
/** The built child, which starts faster, or its source if tests run on sources. */
const child =
  process.env.REINS_TEST_BUILT === "1"
    ? ["packages/core/dist/directory/testing-child.js"]
    : [
        ...["node_modules/vite-node/vite-node.mjs", "--config", "vitest.config.ts"],
        fileURLToPath(new URL("testing-child.ts", import.meta.url)),
      ];
let folder: ReturnType<typeof scratch>;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());

/** Trains in another process until the metrics have grown by `bytes`, then kill -9. Returns its output. */
async function killed(kind: string, path: string, bytes: number): Promise<string> {
  const other = spawn(process.execPath, [...child, kind, path], { cwd: root });
  const size = () => statSync(join(path, "metrics.jsonl"), { throwIfNoEntry: false })?.size ?? 0;
  let said = "";
  let began: number | undefined;
  const hear = (text: Buffer) => {
    said += text;
    if (said.includes("at ")) began ??= size();
  };
  other.stdout.on("data", hear);
  other.stderr.on("data", hear);
  const watch = setInterval(() => {
    if (began !== undefined && size() > began + bytes) other.kill("SIGKILL");
  }, 1);
  await new Promise((ended) => other.on("exit", ended));
  clearInterval(watch);
  return said;
}

/** Files that must be the same however often a run was killed, by name. */
function kept(path: string): Record<string, string> {
  const checkpoints = readdirSync(join(path, "checkpoints")).map((name) => join("checkpoints", name));
  const files = checkpoints.flatMap((c) => [join(c, "state.json"), join(c, "state.safetensors")]);
  return Object.fromEntries(["metrics.jsonl", ...files].map((f) => [f, readFileSync(join(path, f), "hex")]));
}

it.each([
  // A hundred rows, and seven early ones if rounds are short.
  ["a chaotic process", "chaos", [1700], 107],
  ["PPO on CartPole-v1, with a schedule and a controller", "ppo", [9000], 100],
] as const)("%s, killed and resumed, ends with the same bytes", async (_, kind, kills, count) => {
  const [whole, torn] = [join(folder.path, `${kind}-whole`), join(folder.path, `${kind}-torn`)];
  for (const bytes of kills) {
    const said = await killed(kind, torn, bytes);
    expect(said).toContain("at ");
    expect(said).not.toContain("done");
    expect(RunDirectory.open(torn).status()).toBe("crashed");
  }
  expect(await train(kind, torn)).toBeGreaterThan(0);
  expect(await train(kind, whole)).toBe(0);
  expect(kept(torn)).toEqual(kept(whole));
  expect(RunDirectory.open(torn).status()).toBe("finished");
  const rows = RunDirectory.open(whole).metrics();
  expect(rows).toHaveLength(count);
  const events = eventFiles(torn).flatMap((f) => readEvents(f).filter((e) => !e.restart && !e.version));
  expect(events.map((e) => e.step)).toEqual(rows.map((r) => r.step));
});
