import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { folder } from "./cli/testing.ts";

/** The built program. */
const program = fileURLToPath(new URL("../bin/reins.js", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../dist/packed/main.js", import.meta.url)));
const small = ["--envs", "4", "--ppo-steps", "32", "--hidden", "8", "--eval-episodes", "0"];

/** Runs it in a folder. */
function reins(cwd: string, ...args: readonly string[]) {
  const env = { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1", VITEST: "" };
  const child = spawn(process.execPath, [program, ...args], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const done = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, out, err })),
  );
  /** Resolves when it has printed this. */
  const printed = (text: string) =>
    new Promise<void>((ready) => child.stdout.on("data", () => out.includes(text) && ready()));
  return { child, done, printed };
}

it.skipIf(!built)("stops on Ctrl-C, prints how to resume, and resumes", async () => {
  const cwd = folder();
  const begin = ["train", "ppo", "CartPole-v1", ...small, "--name", "long", "--steps", "1e9"];
  const { child, done, printed } = reins(cwd, ...begin);
  await printed("return");
  // While it runs, no other process may write to the directory.
  const other = await reins(cwd, "resume", "long", "--quiet").done;
  expect(other.err).toMatch(/runs\/long: it is in use by process \d+/);
  expect(other.code).toBe(1);

  child.kill("SIGINT");
  const { code, err } = await done;
  expect(code).toBe(130);
  const steps = Number(
    /Stopped after ([\d ]+) steps\. Continue with: reins resume runs\/long/
      .exec(err)?.[1]
      .replaceAll(" ", ""),
  );
  expect(steps).toBeGreaterThan(0);
  expect(existsSync(join(cwd, "runs/long/lock"))).toBe(false);
  expect(JSON.parse(readFileSync(join(cwd, "runs/long/summary.json"), "utf8")).status).toBe("stopped");

  const on = await reins(
    cwd,
    "resume",
    "long",
    "--steps",
    `${steps + 1000}`,
    "--json",
    "--quiet",
    ...small.slice(-2),
  ).done;
  expect(on.code).toBe(0);
  expect(JSON.parse(on.out).steps).toBeGreaterThan(steps);
});

it.skipIf(!built)("prints on Ctrl-C how to continue a run that cannot be resumed", async () => {
  const cwd = folder();
  writeFileSync(
    join(cwd, "env.mjs"),
    `export default class {
      spec = { id: "Unkept-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 } };
      count = 0;
      reset() { this.count = 0; return { observation: [0] }; }
      step(action) { return { observation: [0], reward: action, terminated: ++this.count >= 10, truncated: false }; }
    }`,
  );
  const { child, done, printed } = reins(
    cwd,
    "train",
    "ppo",
    "./env.mjs",
    ...small,
    "--name",
    "long",
    "--steps",
    "1e9",
  );
  await printed("return");
  child.kill("SIGINT");
  const { err } = await done;
  expect(err).toMatch(/Stopped after [\d ]+ steps\. Continue with: reins train --from runs\/long\n/);
  const on = await reins(cwd, "train", "--from", "runs/long", "--steps", "128", "--eval-episodes", "0").done;
  expect(on.code, on.err).toBe(0);
});

it.skipIf(!built)(
  "stops on Ctrl-C while the agent is measured, and measures it when it goes on",
  async () => {
    const cwd = folder();
    const begin = ["train", "ppo", "CartPole-v1", ...small.slice(0, -2), "--name", "long", "--steps", "256"];
    const { child, done } = reins(cwd, ...begin, "--eval-episodes", "1e6");
    const checkpoint = join(cwd, "runs/long/checkpoints/256");
    while (!existsSync(checkpoint)) await new Promise((ready) => setTimeout(ready, 50));
    await new Promise((ready) => setTimeout(ready, 300));
    child.kill("SIGINT");
    const { code, err } = await done;
    expect(code).toBe(130);
    expect(err).toContain(
      "Stopped after 256 steps, before the final evaluation. Continue with: reins resume",
    );
    const summary = () => JSON.parse(readFileSync(join(cwd, "runs/long/summary.json"), "utf8"));
    expect(summary()).toMatchObject({ status: "stopped", steps: 256 });
    expect((await reins(cwd, "resume", "long", "--quiet", "--eval-episodes", "3").done).code).toBe(0);
    expect(summary()).toMatchObject({ status: "finished", steps: 256, return: { episodes: 3 } });
  },
);

it.skipIf(!built)("exits at the second Ctrl-C without losing files", async () => {
  const cwd = folder();
  const begin = ["train", "ppo", "CartPole-v1", ...small, "--name", "long", "--steps", "1e9"];
  const { child, done } = reins(cwd, ...begin);
  while (!existsSync(join(cwd, "runs/long/config.json"))) await new Promise((ready) => setTimeout(ready, 5));
  child.kill("SIGINT");
  await new Promise((ready) => setTimeout(ready, 20));
  child.kill("SIGINT");
  // By the signal itself if no handler is installed yet.
  expect([130, null]).toContain((await done).code);
  const on = await reins(cwd, "resume", "long", "--steps", "20000", "--quiet").done;
  expect(on.err).toBe("");
  expect(on.code).toBe(0);
});

it.skipIf(!built)("returns exit codes, and results as JSON", async () => {
  const cwd = folder();
  const [wrong, result] = await Promise.all([
    reins(cwd, "trian").done,
    reins(cwd, "train", "ppo", "CartPole-v1", ...small, "--steps", "512", "--json").done,
  ]);
  expect(wrong).toEqual({ code: 2, out: "", err: expect.stringContaining("Did you mean train?") });
  expect(result.code).toBe(0);
  expect(JSON.parse(result.out.trim().split("\n").at(-1)!)).toMatchObject({
    steps: 512,
    run: "runs/ppo-CartPole-v1-1",
  });
});

it.skipIf(!built)("fills a table of scores, and does not repeat finished runs", async () => {
  const cwd = folder();
  const args = [
    "scores",
    "ppo",
    "CartPole-v1",
    ...small.slice(0, -2),
    "--eval-episodes",
    "2",
    "--steps",
    "256",
  ];
  const first = await reins(cwd, ...args, "--seeds", "2").done;
  expect(first.err).toBe("");
  expect(first.out).toContain("seed 101   return");
  const again = await reins(cwd, ...args, "--seeds", "2").done;
  expect(again.out).toContain("2 done");
  expect(again.out).not.toContain("seed 101   return");
  const record = JSON.parse(readFileSync(join(cwd, "results/scores/ppo-CartPole-v1.json"), "utf8"));
  expect(record.scores.map((s: { seed: number }) => s.seed)).toEqual([100, 101]);
  expect(record.summary.count).toBe(2);
  expect(readFileSync(join(cwd, "results/scores/table.md"), "utf8")).toContain("| CartPole-v1 | ppo |");
  const other = await reins(cwd, ...args, "--clip", "0.1").done;
  expect(other.err).toContain("the file has scores of other settings (clip 0.2, now 0.1). Add --fresh");
  expect(other.code).toBe(1);
  const beside = await reins(cwd, ...args, "--clip", "0.1", "--as", "narrow", "--seeds", "1").done;
  expect(beside.out).toContain("ppo-narrow-CartPole-v1.json");
  expect(readFileSync(join(cwd, "results/scores/table.md"), "utf8")).toContain(
    "| CartPole-v1 | ppo (narrow) |",
  );
});

it.skipIf(!built).each([
  [".", "", /this is a folder\./],
  ["./data.json", "{}", /not a JavaScript file\./],
  ["./notes.txt", "", /not a JavaScript file\./],
  ["./spelled.mjs", "export default class {", /SyntaxError: Unexpected end of input \(.*spelled\.mjs:\d\)\./],
  ["./alone.mjs", 'import "./none.mjs";', /Cannot find module .*none\.mjs' imported from .*alone\.mjs\./],
  ["./thrown.mjs", '\nthrow new TypeError("mine");', /TypeError: mine \(.*thrown\.mjs:2\)\./],
  ["./odd.mjs", "throw 7;", /it threw 7\./],
  ["./waits.mjs", "await new Promise(() => {});", /a top-level await never settles\./],
])("reports in one line why %s cannot be loaded", async (name, text, words) => {
  const cwd = folder();
  if (name !== ".") writeFileSync(join(cwd, name), text);
  const { code, err, out } = await reins(cwd, "check-env", name).done;
  expect(err).toMatch(/^reins: .*\n$/);
  expect(err).toMatch(words);
  expect([code, out]).toEqual([1, ""]);
});

it.skipIf(!built)("reports in one line a syntax error in an imported file", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "helper.mjs"), "export const x = ;");
  writeFileSync(join(cwd, "env.mjs"), 'export * from "./helper.mjs";');
  expect((await reins(cwd, "check-env", "./env.mjs").done).err).toMatch(
    /^reins: \.\/env\.mjs: cannot be loaded: SyntaxError: .* \(.*helper\.mjs:1\)\.\n$/,
  );
});

it.skipIf(!built)("does not take a model folder for a run, and finds the run of that name", async () => {
  const cwd = folder();
  mkdirSync(join(cwd, "same"));
  writeFileSync(join(cwd, "same/config.json"), '{"model_type": "llama"}');
  const begin = ["train", "ppo", "CartPole-v1", ...small, "--name", "same", "--steps", "256", "--quiet"];
  expect((await reins(cwd, ...begin).done).code).toBe(0);
  const { code, out } = await reins(cwd, "eval", "same", "--episodes", "1", "--json").done;
  expect([code, JSON.parse(out).run]).toEqual([0, "runs/same"]);
});
