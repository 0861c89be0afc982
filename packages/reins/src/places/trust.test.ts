import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { load, resume } from "../load.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

/** An environment in a file, which leaves a mark when it is run. */
function envFile(path = folder()): string {
  const file = join(path, "env.mjs");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(join(path, "ran"))}, "x");
    export default class {
      spec = { id: "Mine-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 10 };
      count = 0;
      reset() { this.count = 0; return { observation: [0] }; }
      step() { this.count++; return { observation: [0], reward: 1, terminated: false, truncated: this.count >= 10 }; }
      render() { return "here"; }
      save() { return { count: this.count }; }
      restore({ count }) { this.count = count; }
    }`,
  );
  return file;
}

const small = ["--steps", "64", "--envs", "2", "--ppo-steps", "16", "--hidden", "4", "--eval-episodes", "2"];

const further = ["--steps", "128", "--eval-episodes", "2", "--quiet"];

/** A run of such a file, and whether the file was run since. */
async function trained() {
  const file = envFile();
  const run = join(folder(), "run");
  const { code, err } = await reins("train", "ppo", file, ...small, "--directory", run, "--quiet");
  expect([code, err]).toEqual([0, ""]);
  return { file, run };
}

/** Makes the run look like another user's: its file, in the run directory, was never named on this machine. */
async function foreign() {
  const { run } = await trained();
  const file = envFile(run);
  const config = join(run, "config.json");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace(/"module": ".*"/, `"module": ${JSON.stringify(file)}`),
  );
  return { file, run, ran: join(run, "ran") };
}

it("resumes a run that was trained on this machine", async () => {
  const { run } = await trained();
  expect((await reins("eval", run, "--episodes", "2")).code).toBe(0);
  expect((await reins("watch", run, "--episodes", "1", "--fps", "0")).out).toContain("here");
  expect((await reins("resume", run, ...further)).code).toBe(0);
  expect((await load(run)).spec.id).toBe("Mine-v0");
});

it("no command runs code of an untrusted run", async () => {
  const { file, run, ran } = await foreign();
  for (const args of [
    ["eval", run],
    ["watch", run],
    ["resume", run],
    ["resume", run, "--steps", "128"],
  ]) {
    const { code, err, out } = await reins(...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^reins: .*its environment is code, in .*If you trust the file, name it \(--env .*\) or pass --trust/,
    );
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain(`--env ${file}`);
  }
  for (const args of [
    ["runs", run],
    ["runs", "compare", run],
    ["runs", "plot", run],
  ])
    await reins(...args);
  // The agent needs no code; evaluating it needs the environment.
  const agent = await load(run);
  expect([0, 1]).toContain(agent.act([0]));
  await expect(agent.evaluate(2)).rejects.toThrow("in a program, pass `env` or `trust: true`");
  await expect(resume(run)).rejects.toThrow("Such code is not run without your consent");
  expect(existsSync(ran)).toBe(false);
});

it("asks for a copy of a file that does not exist here, with and without --trust", async () => {
  const { file, run } = await foreign();
  rmSync(file);
  for (const flags of [[], ["--trust"]]) {
    const { code, err } = await reins("eval", run, ...flags);
    expect(code).toBe(1);
    expect(err).toContain(
      `its environment is code, in ${file}, which does not exist. Pass your copy (--env ./`,
    );
  }
});

it.each([
  ["eval", ["--episodes", "2"]],
  ["watch", ["--episodes", "1", "--fps", "0"]],
  ["resume", further],
])(
  "reins %s runs the code if the user names the file or passes --trust, and records that",
  async (command, flags) => {
    for (const say of ["--env", "--trust"]) {
      const { file, run, ran } = await foreign();
      const said = say === "--env" ? ["--env", file] : ["--trust"];
      expect((await reins(command, run, ...flags, ...said)).err).toBe("");
      expect(existsSync(ran)).toBe(true);
      expect((await reins("eval", run, "--episodes", "1")).code).toBe(0);
      // Not if the file has changed.
      appendFileSync(file, "\n// changed");
      expect((await reins("eval", run, "--episodes", "1")).err).toContain(
        "may have changed since you named it",
      );
    }
  },
);

it("detects changes in transitive imports", async () => {
  const path = folder();
  const helper = join(envFile(path), "../deep.mjs");
  renameSync(join(path, "env.mjs"), helper);
  writeFileSync(join(path, "middle.mjs"), `export {\n  default\n} from './deep.mjs'; import "node:fs";`);
  const file = join(path, "front.mjs");
  writeFileSync(
    file,
    `export { default } from "./middle.mjs"; export const f = () => import("./front.mjs");`,
  );
  const run = join(folder(), "run");
  await reins("train", "ppo", file, ...small, "--directory", run, "--quiet");
  expect((await reins("eval", run, "--episodes", "1")).code).toBe(0);
  for (const changed of [helper, join(path, "middle.mjs")]) {
    appendFileSync(changed, "\n// changed");
    expect((await reins("eval", run)).err).toContain("or one that it imports, may have changed");
    expect((await reins("eval", run, "--episodes", "1", "--trust")).code).toBe(0);
    expect((await reins("eval", run, "--episodes", "1")).code).toBe(0);
  }
});

it("programs can trust a run", async () => {
  const { file, run } = await foreign();
  for (const say of [{ trust: true }, { file }])
    expect((await (await load(run, say)).evaluate(2)).mean).toBe(10);
  // Trust in a program holds for one call.
  await expect((await load(run)).evaluate(2)).rejects.toThrow("Such code is not run without your consent");
});

it("accepts the new path of a moved file, and works without a writable state folder", async () => {
  const { file, run } = await trained();
  const moved = join(folder(), "moved.mjs");
  renameSync(file, moved);
  expect((await reins("eval", run)).err).toContain("which does not exist. Pass your copy");
  vi.stubEnv("REINS_STATE", moved);
  expect((await reins("eval", run, "--env", moved, "--episodes", "1")).code).toBe(0);
});

it("a path as a name of an environment, dataset or judge does not bypass the check", async () => {
  const { file, run } = await trained();
  const ran = () => readFileSync(join(file, "..", "ran"), "utf8").length;
  const before = ran();
  const config = JSON.parse(readFileSync(join(run, "config.json"), "utf8"));
  const other = `${file.slice(0, -4)}-2.mjs`;
  writeFileSync(other, readFileSync(file));
  const { module: _file, ...rest } = config;
  for (const wrong of [
    { env: other },
    { env: "Mine-v0", dataset: other },
    { env: "arithmetic", judge: other },
  ]) {
    writeFileSync(join(run, "config.json"), JSON.stringify({ ...rest, ...wrong }));
    await expect(resume(run), JSON.stringify(wrong)).rejects.toThrow(/is code|which is not registered/);
  }
  expect(ran()).toBe(before);
});

it
  .skipIf(process.platform === "win32")
  .each(["gymnasium:theirs:Mine-v0", "pettingzoo:theirs", "gymnasium:GymV26Environment-v0"])(
  "imports %s of an untrusted run only if the user names it",
  async (env) => {
    const run = join(folder(), "run");
    expect((await reins("train", "ppo", "CartPole-v1", ...small, "--directory", run, "--quiet")).code).toBe(
      0,
    );
    const config = join(run, "config.json");
    writeFileSync(config, readFileSync(config, "utf8").replace("CartPole-v1", env));
    const [ran, python] = [join(run, "ran"), join(folder(), "python")];
    writeFileSync(python, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(python, 0o755);
    vi.stubEnv("REINS_PYTHON", python);
    for (const command of ["eval", "watch", "resume", "diagnose"]) {
      const { code, err } = await reins(command, run);
      expect([code, err], command).toEqual([1, expect.stringContaining("which imports the Python module")]);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
    await expect((await load(run)).evaluate(1)).rejects.toThrow("pass `env` or `trust: true`");
    expect(existsSync(ran)).toBe(false);
    await reins("eval", run, "--trust");
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    // Recorded from then on.
    await reins("eval", run);
    expect(existsSync(ran)).toBe(true);
    vi.stubEnv("REINS_STATE", folder());
    rmSync(ran);
    await reins("eval", run, "--env", env);
    expect(existsSync(ran)).toBe(true);
  },
);

it("training from an agent file does not run its environment's code", async () => {
  const path = folder();
  const file = join(path, "theirs.agent");
  const spec = {
    id: envFile(path),
    observation: { kind: "box", shape: [1], low: -1, high: 1 } as const,
    action: { kind: "discrete", n: 2, start: 0 } as const,
    maxSteps: 10,
  };
  const env = () => ({
    spec,
    reset: () => ({ observation: [0] }),
    step: () => ({ observation: [0], reward: 1, terminated: true, truncated: false }),
  });
  const options = { algorithm: "ppo", steps: 64, evalEpisodes: 0, directory: false } as const;
  await (await train({ ...options, env })).save(file, { training: true });
  const { code, err } = await reins("train", "--from", file, ...small, "--no-save", "--quiet");
  expect([code, err]).toEqual([1, expect.stringContaining("which is code, and an agent file may come from")]);
  await expect(train({ from: file, steps: 64, directory: false })).rejects.toThrow("pass `env`");
  expect(existsSync(join(path, "ran"))).toBe(false);
  await reins("train", "--from", file, spec.id, ...small, "--no-save", "--quiet");
  expect(existsSync(join(path, "ran"))).toBe(true);
});
