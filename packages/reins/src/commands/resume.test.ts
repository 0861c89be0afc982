import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { resume } from "../load.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_STATE", "/dev/null/none");

const small = "--steps 64 --envs 2 --ppo-steps 16 --hidden 4 --eval-episodes 2 --eval-every 32 --quiet";

/** The folder of a finished run. */
async function finished(): Promise<string> {
  const run = join(folder(), "run");
  const { code, err } = await reins("train", "ppo", "CartPole-v1", ...small.split(" "), "--directory", run);
  expect([code, err]).toEqual([0, ""]);
  return run;
}

/** Every file below a folder with its content. */
const treeOf = (path: string): { [name: string]: string } =>
  Object.fromEntries(
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, readFileSync(file, "latin1")]),
  );

it("resuming a finished run changes no byte", async () => {
  const run = await finished();
  const before = treeOf(run);
  expect(Object.keys(before).filter((file) => file.includes("episodes"))).not.toEqual([]);
  for (let i = 0; i < 2; i++) {
    const { code, out } = await reins("resume", run);
    expect([code, out]).toEqual([0, expect.stringContaining("is finished: 64 steps")]);
    expect(treeOf(run)).toEqual(before);
  }
  const { return: measured, ended, directory } = await resume(run);
  expect([measured.episodes, ended, directory]).toEqual([2, "finished", run]);
  expect(treeOf(run)).toEqual(before);
  // Another number of evaluation episodes is used and saved.
  expect((await resume(run, { evalEpisodes: 3 })).return.episodes).toBe(3);
  expect(JSON.parse(readFileSync(join(run, "summary.json"), "utf8")).return.episodes).toBe(3);
  expect((await reins("resume", run)).out).toContain("is finished");
});

const commands = [
  ...["resume", "eval", "watch --fps 0", "watch --recorded", "diagnose", "transcript", "runs compare"],
  ...[
    "resume --steps 128",
    "runs plot",
    "export --agent {out}/a.agent",
    "export --safetensors {out}/weights",
  ],
  "train --steps 64 --quiet --no-save --from",
];

it.skipIf(process.platform === "win32").each(["episodes", "checkpoints", "metrics.jsonl", "last.agent"])(
  "with %s as a symbolic link, every command refuses it by its path",
  async (part) => {
    const run = await finished();
    const outside = folder();
    const target = join(outside, "target");
    renameSync(join(run, part), target);
    symlinkSync(target, join(run, part));
    for (const name of ["7.json", "7.safetensors"])
      if (part === "episodes") writeFileSync(join(target, name), "mine");
    if (part === "checkpoints") mkdirSync(join(target, "12345"));
    const before = treeOf(outside);
    for (const command of commands) {
      const [verb, ...words] = command.replace("{out}", folder()).split(" ");
      const line = verb === "runs" ? [verb, words[0], run] : [verb, ...words, run];
      const { code, err } = await reins(...line);
      expect([code, err], command).toEqual([1, expect.stringContaining(`${part}: it is a symbolic link`)]);
      expect(treeOf(outside), command).toEqual(before);
    }
  },
);
