import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunActions } from "./run-wire.ts";
import { asking, folder, writeRun } from "./testing.ts";

it("downloads files of a run, its metrics as CSV and a checkpoint as tar", async () => {
  const root = folder();
  const rows = [
    { step: 1, "return/mean": 10, "policy/kl": 0.5 },
    { step: 2, "return/mean": "NaN", 'a,"b"': 3 },
  ];
  const path = writeRun(root, "a run", { rows });
  mkdirSync(join(path, "checkpoints", "200"), { recursive: true });
  const weights = Buffer.alloc(700, 7);
  writeFileSync(join(path, "checkpoints", "200", "state.safetensors"), weights);
  writeFileSync(join(path, "checkpoints", "200", "state.json"), "{}");
  writeFileSync(join(path, "last.agent"), weights);
  const { ask, json } = asking(root);
  const { files, starts } = await json<RunActions>("/api/runs/a%20run/actions");
  expect(starts).toBe(false);
  expect(files.map(({ name }) => name)).toEqual([
    ...["config.json", "last.agent", "metrics.jsonl", "metrics.csv", "times.jsonl", "summary.json"],
    "checkpoint-200.tar",
  ]);
  const got = async (name: string) => ask(`/api/runs/a%20run/files/${name}`);
  const agent = await got("last.agent");
  expect(agent.headers.get("content-disposition")).toBe('attachment; filename="a_run-last.agent"');
  expect(Buffer.from(await agent.arrayBuffer()).equals(weights)).toBe(true);
  expect(await (await got("metrics.csv")).text()).toBe(
    'step,return/mean,policy/kl,"a,""b"""\n1,10,0.5,\n2,NaN,,3\n',
  );
  const place = mkdtempSync(join(tmpdir(), "reins-tar-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  writeFileSync(join(place, "c.tar"), Buffer.from(await (await got("checkpoint-200.tar")).arrayBuffer()));
  const listed = execFileSync("tar", ["tvf", join(place, "c.tar")], { encoding: "utf8" });
  expect(listed).toMatch(/ 700 .*state\.safetensors/);
});

it("refuses other files", async () => {
  const root = folder();
  const path = writeRun(root, "a");
  writeFileSync(join(root, "secret"), "x");
  writeFileSync(join(path, "mine.txt"), "x");
  symlinkSync(join(root, "secret"), join(path, "last.agent"));
  symlinkSync("/etc", join(path, "checkpoints"));
  const { ask, json } = asking(root);
  const { files } = await json<RunActions>("/api/runs/a/actions");
  expect(files.map(({ name }) => name)).not.toContain("last.agent");
  for (const name of [
    ...["mine.txt", "lock", "..%2F..%2Fsecret", "..%2Fsecret", "constructor", "last.agent"],
    ...["checkpoint-1.tar", "checkpoint-..%2F1.tar", "checkpoint-.tar"],
  ])
    expect((await ask(`/api/runs/a/files/${name}`)).status, name).toBeGreaterThanOrEqual(400);
});
