import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRun } from "@reins/core/directory";
import { afterEach, expect, it, vi } from "vitest";
import { writeRun } from "../../../studio/dist/testing.js";
import { reins } from "../cli/testing.ts";
import { knownOnly, noteTrust } from "../places/trust.ts";
import { runCommand, shellWords } from "./run-command.ts";
import { runStarter } from "./starter.ts";
import { trialCommand } from "./trial-command.ts";

const root = mkdtempSync(join(tmpdir(), "reins-starter-"));
vi.stubEnv("REINS_STATE", join(root, "state"));
afterEach(() => rmSync(join(root, "runs"), { recursive: true, force: true }));

const runs = join(root, "runs");
const written = (name: string, config: object) => writeRun(runs, name, { config });

it("repeats a run with its command, another seed and changed settings", () => {
  const command =
    "reins train ppo CartPole-v1 --steps 64 --seed 1 --name old --clip 'linear(0.2, 0)' --no-clip-value --quiet --csv /tmp/x.csv --overwrite --learning-rate 1e-3";
  const path = written("a", { command, seed: 1 });
  const { args, folder, code } = runCommand(path, {
    do: "train",
    seed: 7,
    settings: { learningRate: "3e-4" },
  });
  expect(args.slice(0, -1)).toEqual([
    ...["train", "ppo", "CartPole-v1", "--steps", "64", "--clip", "linear(0.2, 0)", "--no-clip-value"],
    ...["--learning-rate=3e-4", "--seed", "7", "--directory"],
  ]);
  expect([folder, code]).toEqual([join(runs, "ppo-CartPole-v1-1"), []]);
  expect(() => runCommand(path, { do: "train", settings: { lerningRate: "1" } })).toThrow("learningRate");
  expect(() => runCommand(written("b", {}), { do: "train" })).toThrow("started by a program");
  expect(runCommand(path, { do: "resume", steps: 128 }).args.slice(2)).toEqual(["--steps", "128"]);
  expect(shellWords("a 'b c' 'it'\\''s' d=e")).toEqual(["a", "b c", "it's", "d=e"]);
});

it("does not run untrusted code", () => {
  const file = join(root, "env.mjs");
  writeFileSync(file, "export default {}");
  const command = `reins train ppo ${file} --steps 64`;
  const path = written("a", { command, env: "mine", module: file });
  for (const request of [{ do: "resume" }, { do: "train" }] as const)
    expect(runCommand(path, request).refused).toContain(`code in ${file}`);
  // A configuration that hides its file is refused as well.
  const sly = written("sly", { command: `${command} --network=./net.js`, env: "CartPole-v1" });
  expect(runCommand(sly, { do: "train" }).refused).toContain("./net.js");
  const python = written("python", {
    ...{
      command: "reins train ppo gymnasium:CartPole-v1 --env-python ./odd",
      envOptions: { python: "./odd" },
    },
  });
  for (const request of [{ do: "resume" }, { do: "train" }] as const)
    expect(runCommand(python, request).refused).toContain("code in ./odd");
  noteTrust(file);
  expect(runCommand(path, { do: "train" })).toMatchObject({ code: [file] });
  expect(runCommand(path, { do: "train" }).refused).toBeUndefined();
  const atari = written("atari", {
    command:
      "reins train ppo MinAtar/Breakout-v1 --solved --from runs/old --clip 'pi(of=policy/kl, target=0.01)'",
  });
  expect(runCommand(atari, { do: "train" }).code).toEqual([]);
});

it("no form of a command hides code from the check", async () => {
  const [file, ran] = [join(root, "net"), join(root, "ran")];
  writeFileSync(file, `require("fs").writeFileSync(${JSON.stringify(ran)}, "");`);
  const refused = (command: string, config = {}) =>
    runCommand(written("sly", { command: `reins train ${command}`, ...config }), { do: "train" }).refused;
  // A switch takes no value, so the next word is the environment.
  expect(refused(`ppo --solved ${file}`)).toContain(file);
  // The algorithm in config.json may differ from that of the command.
  expect(refused(`ppo CartPole-v1 --network ${file}`, { algorithm: "q" })).toContain(file);
  expect(refused("--from http://127.0.0.1/x.agent")).toContain("http://127.0.0.1/x.agent");
  for (const env of ["gymnasium:evil:X-v0", "pettingzoo:evil"])
    expect(refused(`ppo ${env}`)).toContain(`code in ${env}`);
  expect(refused("ppo CartPole-v1 --clip 'pi(of=policy/kl, target=0.01)' --from runs/old")).toBeUndefined();
  const python = written("python", { env: "gymnasium:evil:X-v0" });
  expect(runCommand(python, { do: "resume" }).refused).toContain("code in gymnasium:evil:X-v0");
  // The new process refuses untrusted code itself, whatever this check misses.
  vi.stubEnv(knownOnly, "1");
  expect(await reins("train", "ppo", file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("not named"),
  });
  vi.stubEnv(knownOnly, undefined);
  expect(existsSync(ran)).toBe(false);
});

it("starts runs with reins, and reports errors", async () => {
  const starter = runStarter(fileURLToPath(new URL("../../bin/reins.js", import.meta.url)));
  const command = "reins train ppo CartPole-v1 --steps 512 --eval-episodes 1 --hidden 4";
  const path = written("a", { command });
  const { name } = await starter.start(path, { do: "train", seed: 5 });
  expect(name).toBe("ppo-CartPole-v1-1");
  const folder = join(runs, name);
  await expect.poll(() => readRun(folder).entry.status, { timeout: 60_000 }).toBe("finished");
  const { config } = readRun(folder);
  expect([config.seed, config.options.hidden]).toEqual([5, [4]]);
  await expect(starter.start(path, { do: "train", settings: { clip: "abc" } })).rejects.toThrow("clip");
  // A finished run continues only with more steps.
  await expect(starter.start(folder, { do: "resume" })).rejects.toThrow("is finished");
  await starter.start(folder, { do: "resume", steps: 1024 });
  await expect
    .poll(() => JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")).steps, { timeout: 60_000 })
    .toBe(1024);
}, 120_000);

it("returns a valid command for a trial, whatever the journal holds", () => {
  const setup = {
    algorithm: "ppo",
    env: "CartPole-v1",
    steps: 64,
    typed: { clip: 0.1 },
    envOptions: { maxSteps: 9 },
  };
  expect(trialCommand(setup, { learningRate: { signal: "linear", from: 0.1, to: 0 }, steps: 16 })).toBe(
    "reins train ppo CartPole-v1 --steps 64 --clip 0.1 --learning-rate 'linear(0.1, 0)' --ppo-steps 16 --env-max-steps 9",
  );
  expect(trialCommand({ ...setup, env: "; rm -rf ~" }, {})).toContain("'; rm -rf ~'");
  expect(trialCommand({ algorithm: 3 }, {})).toBeUndefined();
});
