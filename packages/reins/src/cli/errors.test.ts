import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { explain } from "./explain.ts";
import { folder, reins } from "./testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const quick = [
  "--steps",
  "256",
  "--envs",
  "2",
  "--ppo-steps",
  "32",
  "--hidden",
  "8",
  "--eval-episodes",
  "0",
  "--quiet",
];
const train = (directory: string, ...more: string[]) =>
  reins("train", "ppo", "CartPole-v1", ...quick, "--directory", directory, ...more);

/** The file of an environment that fails after 100 steps. */
function badEnv(answer: string): string {
  const file = join(folder(), "env.mjs");
  writeFileSync(
    file,
    `export default class {
      spec = { id: "Bad-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 10 };
      count = 0;
      reset() { return { observation: [0] }; }
      step() { this.count++; return this.count < 100 ? { observation: [0], reward: 1, terminated: false, truncated: false } : ${answer}; }
      save() { return { count: this.count }; }
      restore({ count }) { this.count = count; }
    }`,
  );
  return file;
}

describe("usage errors", () => {
  it.each([
    [["trian"], "unknown command trian. Did you mean train? Run reins --help"],
    [["train"], "missing algorithm and environment. Example: reins train ppo CartPole-v1."],
    [["train", "ppp", "CartPole-v1"], "unknown algorithm ppp. Did you mean ppo"],
    [["train", "ppo"], "missing environment."],
    [["train", "PPO"], "missing environment. Example: reins train ppo CartPole-v1."],
    [["train", "cartpole-V1"], "missing algorithm: CartPole-v1 is an environment."],
    [["train", "ppo", "CartPol-v1"], "unknown environment CartPol-v1. Did you mean CartPole-v1"],
    [["train", "ppo", "CartPole-v9"], "Did you mean CartPole-v0 or CartPole-v1?"],
    [["train", "ppo", "CartPole-v1", "extra"], 'unexpected argument "extra"'],
    [
      ["train", "ppo", "CartPole-v1", "--learning-rat", "1"],
      "unknown flag --learning-rat. Did you mean --learning-rate",
    ],
    [
      ["train", "ppo", "CartPole-v1", "--n-steps", "128"],
      "Did you mean --ppo-steps or --steps? Run reins train ppo --help",
    ],
    [
      ["train", "ppo", "CartPole-v1", "--wrappers", "VecNormalize"],
      "Did you mean normaliseObservation or normaliseReward?",
    ],
    [
      ["train", "ppo", "CartPole-v1", "--clip", "linaer(1, 0)"],
      "--clip: there is no signal linaer. Did you mean linear",
    ],
    [["train", "ppo", "CartPole-v1", "--hidden", "64,,64"], "--hidden takes a comma-separated list"],
    [["train", "ppo", "CartPole-v1", "--steps", "-5"], "--steps takes a whole number"],
    [
      ["train", "ppo", "CartPole-v1", "--name", "a", "--directory", "b"],
      "--name and --directory are alternatives",
    ],
    [
      ["train", "ppo", "CartPole-v1", "--wrappers", "normalise"],
      "wrappers: normalise does not exist. Did you mean normalise",
    ],
    ...["../../x", "a/b", "a\\b", "/tmp/x", "..", ".", "a\nb", "C:x"].map(
      (name) =>
        [["train", "ppo", "CartPole-v1", `--name=${name}`], "is not a valid folder name in runs/"] as [
          string[],
          string,
        ],
    ),
    [
      ["train", "ppo", "CartPole-v1", "--steps", "1e18"],
      "--steps 1e18 is too large. The maximum is 9007199254740991",
    ],
    [["scores", "ppo", "CartPole-v1", "--seeds", "1e9"], "--seeds 1e9 is too large. The maximum is 10000"],
    [["eval", "--episodes", "1e12"], "--episodes 1e12 is too large."],
    ...["0", "-1", "1.5", "abc", "8,Infinity"].map(
      (widths) =>
        [
          ["train", "ppo", "CartPole-v1", `--hidden=${widths}`],
          "it must be a list of whole numbers from 1, such as [64,64].",
        ] as [string[], string],
    ),
    [["eval", "no-such-run"], "unknown run no-such-run."],
    [["serve", "./no-such-model"], "unknown run or model folder ./no-such-model."],
    [
      ["generate", "m", "--prompts", "no.jsonl", "--out", "o"],
      "--prompts no.jsonl: the file does not exist.",
    ],
    [["metrics", "kl"], "Did you mean policy/kl"],
    [["metrics", "rollout/ep_rew_mean"], "Did you mean return/mean?"],
    [["metrics", "train/approx_kl"], "Did you mean policy/kl?"],
    [["runs", "plot", "--x", "hours"], "unknown axis --x hours"],
    [["envs", "CartPole-v7"], "Did you mean CartPole-v0 or CartPole-v1?"],
    [["algorithms", "poo"], "unknown algorithm poo. Did you mean ppo"],
    [["check-env"], "missing environment."],
  ])("%j: exit code 2", async (args, message) => {
    const { code, err, out } = await reins(...args);
    expect(err).toContain(message);
    expect(err).toMatch(/^reins: .*\n$/);
    expect(out).toBe("");
    expect(code).toBe(2);
  });
});

describe("memory errors", () => {
  const more = ["--no-save", "--quiet", "--steps", "1000"];
  it.each([
    [["train", "ppo", "CartPole-v1", "--hidden", "50000,50000"]],
    [["train", "ppo", "CartPole-v1", "--ppo-steps", "1e8", "--envs", "64"]],
  ])("%j prints one line", async (args) => {
    const { code, err, out } = await reins(...args, ...more);
    expect(err).toMatch(/^reins: not enough memory \(.*\)\. Use smaller networks \(--hidden\), .*\n$/);
    expect([code, out]).toEqual([1, ""]);
  });
  it.each([
    ["ppo", "envs"],
    ["ppo", "ppo-steps"],
    ["dqn", "envs"],
    ["dqn", "batch"],
    ["dqn", "capacity"],
    ["reinforce", "episodes"],
    ["grpo", "groups"],
  ])("rejects a billion before allocating: %s --%s", async (name, flag) => {
    const { code, err } = await reins("train", name, "CartPole-v1", `--${flag}`, "1e9", ...more);
    expect(err).toMatch(
      /^reins: \w+: \w+ is 1000000000; the maximum is 100000000, because larger values exhaust memory\. .*\n$/,
    );
    expect(code).toBe(2);
  });
  it("rejects too many environments", async () => {
    const { code, err } = await reins("train", "ppo", "CartPole-v1", "--envs", "1e8", ...more);
    expect(err).toMatch(
      /^reins: CartPole-v1: 100000000 copies were requested; the maximum is 1048576\. .*\n$/,
    );
    expect(code).toBe(1);
  });
  it("prints a stack trace for bugs, and for all errors with REINS_DEBUG", async () => {
    expect(explain(new RangeError("Invalid array length"))).toContain("not enough memory");
    expect(explain(new RangeError("Maximum call stack size exceeded"))).toBeUndefined();
    expect(explain(new TypeError("x is not a function"))).toBeUndefined();
    vi.stubEnv("REINS_DEBUG", "1");
    onTestFinished(() => void vi.stubEnv("REINS_DEBUG", ""));
    expect((await reins("trian")).err).toMatch(/\n +at /);
  });
});

describe("damaged run directories", () => {
  /** A damaged run. */
  const broken = async (spoil: (path: string) => void) => {
    const directory = join(folder(), "run");
    expect((await train(directory)).code).toBe(0);
    spoil(directory);
    return directory;
  };
  const folderFor = (name: string) => (path: string) => {
    rmSync(join(path, name), { recursive: true, force: true });
    mkdirSync(join(path, name));
  };
  const oneLine = /^reins: .*\n$/;
  it.each([
    [
      "a folder for metrics.jsonl",
      folderFor("metrics.jsonl"),
      /there is a folder where a file should be \(EISDIR, .*metrics\.jsonl\)\. The checkpoint at step 256 is intact/,
    ],
    ["a folder for the lock", folderFor("lock"), /lock: it cannot be read: there is a folder/],
    ["a torn config.json", (path: string) => writeFileSync(join(path, "config.json"), "{"), /it is not JSON/],
    ["an empty config.json", (path: string) => writeFileSync(join(path, "config.json"), ""), /it is empty/],
    ["a folder for config.json", folderFor("config.json"), /it is a folder, but must be a file/],
    [
      "no checkpoints",
      (path: string) => rmSync(join(path, "checkpoints"), { recursive: true }),
      /its checkpoints are lost: checkpoints\/ is missing\. Metrics exist up to step 256; nothing was changed\./,
    ],
  ])("%s: prints one line and changes nothing", async (_, spoil, words) => {
    const path = await broken(spoil);
    const before = readdirSync(path).sort();
    const { code, err } = await reins("resume", path, "--steps", "512", "--quiet");
    expect(err).toMatch(oneLine);
    expect(err).toMatch(words);
    expect(code).toBe(1);
    expect(readdirSync(path).sort()).toEqual(before);
    for (const args of [
      ["eval", path, "--episodes", "1"],
      ["runs", path],
      ["runs", "plot", path],
    ]) {
      const other = await reins(...args);
      if (other.code) expect(other.err).toMatch(oneLine);
    }
  });
  it("a missing or foreign config.json", async () => {
    const path = await broken((run) => rmSync(join(run, "config.json")));
    const lost = await reins("eval", path);
    expect(lost.err).toBe(
      `reins: ${path} has no config.json, so the run cannot be read. Restore the file from a copy.\n`,
    );
    writeFileSync(join(path, "config.json"), '{"model_type": "llama"}');
    expect((await reins("eval", path)).err).toBe(
      `reins: ${path} is not a run directory: its config.json does not describe a run.\n`,
    );
  });

  it("paths that cannot be a run directory", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    for (const place of [
      file,
      join(file, "run"),
      "/dev/null/run",
      ...(existsSync("/proc") ? ["/proc/none/run"] : []),
    ]) {
      const { code, err } = await train(place);
      expect(err).toMatch(/^reins: .*: creating the directory failed: .*\n$/);
      expect(code).toBe(1);
    }
  });
});

describe("failures", () => {
  it("rejects unsupported actions and leaves no directory", async () => {
    const directory = join(folder(), "run");
    const { code, err } = await reins("train", "dqn", "Pendulum-v1", "--directory", directory, "--quiet");
    expect(err).toMatch(/dqn: Pendulum-v1 has box actions; dqn needs discrete actions/);
    expect(code).toBe(1);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ["{ observation: [0, 0], reward: 1, terminated: false, truncated: false }", "observation"],
    ["{ observation: [0], reward: NaN, terminated: false, truncated: false }", "the reward is NaN"],
    ["{ observation: [0], reward: 1, done: true }", "`terminated`"],
    ["(() => { throw new Error('out of order') })()", "step() failed: out of order"],
  ])("names an environment that fails during a run: %s", async (answer, message) => {
    const directory = join(folder(), "run");
    const { code, err } = await reins(
      "train",
      "ppo",
      badEnv(answer),
      ...quick,
      "--steps",
      "1024",
      "--checkpoint-every",
      "64",
      "--directory",
      directory,
    );
    expect(err).toContain("Bad-v0, row 0: ");
    expect(err).toContain(message);
    expect(code).toBe(1);
    // The checkpoint is intact, so that the run can continue once the environment is fixed.
    const { status, error } = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
    expect(status).toBe("crashed");
    expect(error).toContain(message);
    expect(existsSync(join(directory, "lock"))).toBe(false);
    expect(readdirSync(join(directory, "checkpoints")).length).toBeGreaterThan(0);
  });

  it("rejects checkpoints of another configuration or version", async () => {
    const directory = join(folder(), "run");
    expect((await train(directory)).code).toBe(0);
    const config = readFileSync(join(directory, "config.json"), "utf8");
    writeFileSync(join(directory, "config.json"), config.replace(/"hidden": \[\s*8\s*\]/, '"hidden": [16]'));
    const shape = await reins("resume", directory, "--steps", "512", "--quiet");
    expect(shape.err).toContain("options.hidden.0 is 16 instead of 8");
    expect(shape.code).toBe(1);

    writeFileSync(join(directory, "config.json"), config.replace('"format": 1', '"format": 99'));
    const version = await reins("resume", directory, "--quiet");
    expect(version.err).toContain("the run has format 99");
    expect(version.code).toBe(1);

    // Both attempts leave the run unchanged.
    writeFileSync(join(directory, "config.json"), config);
    expect(readdirSync(join(directory, "checkpoints"))).toEqual(["256"]);
    expect((await reins("resume", directory, "--steps", "512", "--eval-episodes", "0", "--quiet")).code).toBe(
      0,
    );
  });

  it("rejects a directory with a run or other files", async () => {
    const directory = join(folder(), "run");
    expect((await train(directory)).code).toBe(0);
    const before = readFileSync(join(directory, "metrics.jsonl"), "utf8");
    const again = await train(directory);
    expect(again.err).toContain("the directory already holds a run");
    expect(again.code).toBe(1);
    expect(readFileSync(join(directory, "metrics.jsonl"), "utf8")).toBe(before);
    const other = folder();
    writeFileSync(join(other, "letter.txt"), "mine");
    expect((await train(other)).err).toContain("is not empty and holds no run");
    expect(readdirSync(other)).toEqual(["letter.txt"]);
  });

  it("names what a language task in a file lacks", async () => {
    const file = join(folder(), "task.mjs");
    const { href } = new URL("../../../language/src/index.ts", import.meta.url);
    const fields = "id: 'coat', about: 'A coat.', levels: 1, make: () => ({}), verify: () => ({})";
    writeFileSync(
      file,
      `import { textTask } from ${JSON.stringify(href)};\nexport default textTask({ ${fields} });`,
    );
    const { err } = await reins("train", "grpo", file);
    expect(err).toContain("textTask coat: alphabet, longest are missing. A task needs id, about,");
  });

  it("rejects files that do not export an environment", async () => {
    const file = join(folder(), "empty.mjs");
    writeFileSync(file, "export const answer = 42;");
    expect((await reins("train", "ppo", file)).err).toContain("it does not export an environment");
    expect((await reins("train", "ppo", "./nowhere.js")).err).toContain(
      "./nowhere.js: there is no such file",
    );
    expect((await reins("train", "ppo", "ALE/Pong-v5")).err).toContain("gymnasium:ALE/Pong-v5");
  });
});

describe("a device", () => {
  it("is refused by name, or says what is missing", async () => {
    const unknown = await train(join(folder(), "run"), "--device", "gpu");
    expect(unknown.err).toContain("unknown device gpu. Use cpu, cuda or cuda:N");
    expect(unknown.code).toBe(2);
    // The command chooses the device of its process, which here is that of other tests too.
    vi.stubEnv("REINS_DEVICE", "");
    onTestFinished(() => void vi.stubEnv("REINS_DEVICE", "").stubEnv("REINS_BACKEND", "wasm"));
    // Without a driver or, where there is one, without a GPU of this number.
    const missing = await train(join(folder(), "run"), "--device", "cuda:4711");
    expect(missing.err).toMatch(/NVIDIA driver|GPU number 4711/);
    expect(missing.err).not.toContain("    at ");
    expect(missing.code).toBe(1);
  });
});
