import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import { expect, it, onTestFinished, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { controlRun } from "../control-run.ts";
import { resume } from "../load.ts";
import { type TrainOptions, train } from "../train.ts";
import { channelAt, openChannel } from "./channel.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const endless: TrainOptions = {
  algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }),
  env: "CartPole-v1",
  steps: 1e9,
  evalEpisodes: 0,
  progressEvery: 1,
};
const rows = (directory: string) =>
  readFileSync(join(directory, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, number>);
const checkpoints = (directory: string) => existsSync(join(directory, "checkpoints.written"));

it("a run handles commands, and reports changed settings when it is resumed", {
  timeout: 60_000,
}, async () => {
  const directory = join(folder(), "run");
  const training = train({ ...endless, directory });
  const run = controlRun(directory);
  await vi.waitUntil(() => existsSync(join(directory, "control.sock")), { timeout: 20_000 });
  if (process.platform !== "win32")
    expect(statSync(join(directory, "control.sock")).mode & 0o777).toBe(0o600);

  const { steps, budget, settings } = await run.status();
  expect([steps > 0, budget, settings.learningRate]).toEqual([true, 1e9, 2.5e-4]);

  const paused = await run.pause();
  expect(paused.paused).toBe(true);
  expect((await run.status()).steps).toBe(paused.steps);
  expect((await run.set("learningRate", 1e-5)).settings.learningRate).toBe(1e-5);
  await run.log();
  const [set, logged] = rows(directory).slice(-2);
  expect([set.step, logged.step]).toEqual([paused.steps, paused.steps]);
  expect(set["setting/learningRate"]).toBe(1e-5);
  expect(checkpoints(directory)).toBe(false);
  await run.save();
  expect([checkpoints(directory), existsSync(join(directory, "last.agent"))]).toEqual([true, true]);
  await run.go();
  await vi.waitUntil(async () => (await run.status()).steps > paused.steps, { timeout: 20_000 });

  await expect(run.set("learningRat", 1)).rejects.toThrow("Did you mean learningRate?");
  await expect(run.set("learningRate", -1)).rejects.toThrow("learningRate");
  const typed = await reins("control", directory, "status");
  expect([typed.code, typed.out]).toEqual([0, expect.stringContaining("learningRate")]);
  expect((await reins("control", directory, "set", "clip", "0.1")).out).toMatch(
    /clip is 0.1 from step \d+ on/,
  );
  for (const name of ["learning-rate", "--learning-rate", "learningRate", "LEARNING_RATE"]) {
    const { code, out, err } = await reins("control", directory, "set", name, "1e-4");
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(/learningRate is 0.0001 from step \d+ on/),
      "",
    ]);
  }
  const high = await reins("control", directory, "set", "--learning-rate=10");
  expect([high.code, high.err]).toEqual([
    0,
    "reins: learningRate 10 is outside its usual range (0.00001 to 0.001).\n",
  ]);
  expect(
    rows(directory)
      .filter((row) => "setting/learningRate" in row)
      .at(-1)?.["setting/learningRate"],
  ).toBe(10);
  expect((await reins("control", directory, "set", "learning-rat", "1")).err).toContain(
    "Did you mean learningRate?",
  );
  expect((await reins("control", directory, "set", "nothing-like-it", "1")).err).toContain(
    "Settings that can be changed: learningRate",
  );
  expect((await reins("control", directory, "set", "hidden", "1")).err).toContain(
    "hidden of ppo is fixed for the whole run",
  );
  await run.set("learningRate", 1e-5);
  expect((await reins("control", directory, "stopp")).err).toContain("Did you mean stop");

  await run.stop();
  expect((await training).ended).toBe("stopped");
  expect(existsSync(join(directory, "control.sock"))).toBe(false);
  await expect(run.status()).rejects.toThrow("the run is not running");

  const warnings: string[] = [];
  const warn = vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(String(text)));
  onTestFinished(() => warn.mockRestore());
  const again = await resume(directory, { callbacks: { onUpdate: (_, control) => control.stop() } });
  expect(again.run.process.settings.learningRate.shown).toBe(1e-5);
  expect(warnings.join("\n")).toMatch(/learningRate is 0.00001, as it was set at step \d+/);
});

it("refuses invalid commands", async () => {
  const at = folder();
  const asked: unknown[] = [];
  const close = openChannel(
    at,
    async (command) => {
      asked.push(command);
      return { error: "refused" };
    },
    () => {},
  );
  onTestFinished(close);
  const said = await new Promise<string>((done) => {
    const socket = connect(channelAt(at), () => socket.write('{"do":"rm"}\nno json\n'));
    let text = "";
    socket.on("data", (more) => {
      text += more;
      if (text.split("\n").length > 2) done(text);
    });
  });
  expect(said.trim().split("\n").sort()).toEqual([
    '{"error":"refused"}',
    '{"error":"the command is not valid JSON."}',
  ]);
  expect(asked).toEqual([{ do: "rm" }]);
});

it("a run trains without a channel if it cannot listen, and replaces the socket of a killed run", async () => {
  const deep = join(folder(), "a".repeat(120));
  mkdirSync(deep);
  const warnings: string[] = [];
  const close = openChannel(
    deep,
    async () => ({ error: "" }),
    (text) => warnings.push(text),
  );
  await vi.waitUntil(() => warnings.length > 0);
  close();
  expect(warnings).toEqual([expect.stringContaining("cannot be controlled from outside")]);
  // The socket of a dead process.
  const at = folder();
  writeFileSync(
    join(at, "left.js"),
    `require("net").createServer().listen(${JSON.stringify(join(at, "control.sock"))}, () => process.kill(process.pid, "SIGKILL"))`,
  );
  await new Promise((done) => spawn(process.execPath, [join(at, "left.js")]).on("exit", done));
  expect(existsSync(join(at, "control.sock"))).toBe(true);
  const none: string[] = [];
  onTestFinished(
    openChannel(
      at,
      async () => ({ error: "" }),
      (text) => none.push(text),
    ),
  );
  expect(none).toEqual([]);
});

it.skipIf(process.getuid?.() !== 0)("other accounts of the machine cannot connect", async () => {
  const at = folder();
  chmodSync(at, 0o755);
  const asked: unknown[] = [];
  const receive = async (command: unknown) => {
    asked.push(command);
    return { error: "refused" };
  };
  onTestFinished(openChannel(at, receive, () => {}));
  const program = `require("net").connect(process.argv[1])
    .on("error", ({ code }) => console.log(code))
    .on("connect", () => { console.log("connected"); process.exit(); })`;
  const said = (uid: number) => {
    const child = spawn(process.execPath, ["-e", program, join(at, "control.sock")], {
      uid,
      gid: uid,
      cwd: "/",
    });
    return new Promise<string>((done) => {
      let text = "";
      child.stdout.on("data", (more) => {
        text += more;
      });
      child.on("close", () => done(text.trim()));
    });
  };
  expect([await said(0), await said(65_534)]).toEqual(["connected", "EACCES"]);
  expect(asked).toEqual([]);
});
