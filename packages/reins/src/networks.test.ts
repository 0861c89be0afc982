import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { variantTags } from "../../algorithms/dist/testing-variants.js";
import { folder, reins } from "./cli/testing.ts";
import * as all from "./index.ts";
import {
  algorithms,
  box,
  dict,
  discrete,
  dqn,
  type Env,
  grpo,
  image,
  load,
  loadAgent,
  nn,
  ppo,
  resume,
  td3,
  text,
  train,
} from "./index.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

const names = Object.values(algorithms)
  .map(({ definition }) => definition)
  .filter(({ options, learnsFrom = "steps" }) => "network" in options && learnsFrom !== "episodes")
  .map(({ name }) => name);

describe("a custom network", () => {
  const program = (name: string) => {
    const continuous = algorithms[name].definition.actions?.includes("box");
    return `
      const { algorithms, nn, train } = reins;
      const network = ({ inputs }) =>
        nn.sequential(nn.linear({ inputs, outputs: 128 }), "relu", nn.linear({ inputs: 128, outputs: 64 }), "relu");
      return train({ algorithm: algorithms["${name}"]({ network }), env: "${continuous ? "Pendulum-v1" : "CartPole-v1"}", steps: 30 });
    `;
  };

  for (const name of names)
    it(`takes at most eight lines with ${name}`, { tags: variantTags(name) }, async () => {
      const code = program(name);
      expect(code.trim().split("\n").length).toBeLessThanOrEqual(8);
      const begin = new Function("reins", code) as (reins: typeof all) => Promise<all.Trained>;
      const agent = await begin(all);
      expect(agent.run.steps).toBeGreaterThan(0);
    });

  it("is refused for language models", async () => {
    const algorithm = grpo({ network: ({ inputs }) => nn.mlp({ inputs }) });
    await expect(train({ algorithm, env: "arithmetic", steps: 10 })).rejects.toThrow(
      /grpo: network applies to stepped environments; .* has its own model\. Leave it out\./,
    );
  });

  it("is an option of every algorithm with networks on steps", () => {
    expect(names).toEqual([
      ...[
        "ppo",
        "ppo-adaptive",
        "ppo-penalty",
        "a2c",
        "ppg",
        "impala",
        "trpo",
        "grpo",
        "dapo",
        "cispo",
        "reinforce++",
        "reinforce",
      ],
      ...[
        "dqn",
        "dqn-adaptive",
        "c51",
        "qr-dqn",
        "iqn",
        "munchausen-dqn",
        "rainbow",
        "r2d2",
        "pqn",
        "sac",
        "redq",
        "droq",
        "tqc",
        "crossq",
        "simba-sac",
        "td3",
        "ddpg",
      ],
      ...["cem", "cma-es", "es", "ars"],
    ]);
  });
});

describe("saved runs", () => {
  const network = ({ inputs }: { inputs: number }) => nn.mlp({ inputs, hidden: [6] });
  const small = { envs: 2, steps: 16 };

  it("have an agent that acts without its code, and resume with the algorithm passed again", async () => {
    const directory = join(folder(), "run");
    const algorithm = ppo({ ...small, network });
    await train({ algorithm, env: "CartPole-v1", steps: 64, directory });
    const agent = await load(directory);
    expect([0, 1]).toContain(agent.act([0, 0, 0, 0]));
    await expect(resume(directory, { steps: 128 })).rejects.toThrow(
      "its option network is code, which a run directory cannot store. Resume it from the program that started it: resume(path, { algorithm }).",
    );
    const further = await resume(directory, { algorithm, steps: 128 });
    expect(further.run.steps).toBe(128);
    const from = await further.save(undefined, { training: true });
    await expect(train({ from, steps: 32 })).rejects.toThrow(
      "ppo: network is code, which a file cannot hold. Pass the algorithm again with it: ppo({ network }).",
    );
    expect((await train({ from, algorithm, steps: 32 })).run.steps).toBe(32);
  });

  it.each([
    ["dqn", dqn({ learningStarts: 8, batch: 8, hidden: [8] })],
    ["td3", td3({ learningStarts: 8, batch: 8, hidden: [8] })],
    ["ppo", ppo({ ...small, hidden: [8] })],
  ])("save and load agents of %s with image and text observations", async (name, algorithm) => {
    const observation = dict({ eyes: image(5, 4, 2), said: text(9), mood: discrete(3) });
    const env = (): Env => {
      const rng = defaultRng(4);
      const see = () => ({ observation: sampleValue(observation, rng) });
      return {
        spec: {
          id: "All-v0",
          observation,
          action: name === "td3" ? box([2], -1, 1) : discrete(4),
          maxSteps: 4,
        },
        reset: see,
        step: () => ({ ...see(), reward: 1, terminated: false, truncated: false }),
      };
    };
    const agent = await train({ algorithm, env, steps: 40, evalEpisodes: 0 });
    const again = await loadAgent(await agent.save());
    const rng = defaultRng(5);
    for (let i = 0; i < 8; i++) {
      const seen = sampleValue(observation, rng);
      expect(again.act(seen)).toEqual(agent.act(seen));
    }
  });

  /** A network in a file. */
  function file(path = folder(), hidden = 6): string {
    const name = join(path, "network.mjs");
    const nnPath = JSON.stringify(new URL("../../nn/src/index.ts", import.meta.url).href);
    writeFileSync(
      name,
      `import { mlp } from ${nnPath};\nexport default ({ inputs }) => mlp({ inputs, hidden: [${hidden}] });\n`,
    );
    return name;
  }
  const flags = ["--steps", "64", "--envs", "2", "--ppo-steps", "16", "--eval-episodes", "2", "--quiet"];

  it("resume with the network of a file unless it changed", async () => {
    const path = file();
    const run = join(folder(), "run");
    const { code, err } = await reins(
      "train",
      "ppo",
      "CartPole-v1",
      "--network",
      path,
      ...flags,
      "--directory",
      run,
    );
    expect([code, err]).toEqual([0, ""]);
    const config = JSON.parse(readFileSync(join(run, "config.json"), "utf8"));
    expect([config.files, config.options.hidden]).toEqual([{ network: path }, []]);
    expect((await reins("eval", run, "--episodes", "2")).code).toBe(0);
    writeFileSync(path, `${readFileSync(path, "utf8")}// changed\n`);
    const refused = await reins("resume", run, "--steps", "128", "--eval-episodes", "2", "--quiet");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/its network is code, in .*name it \(--network .*\) or pass --trust/),
    ]);
    const named = await reins(
      "resume",
      run,
      "--network",
      path,
      "--steps",
      "128",
      "--eval-episodes",
      "2",
      "--quiet",
    );
    expect([named.code, named.err]).toEqual([0, ""]);
    expect((await reins("eval", run, "--episodes", "2")).code).toBe(0);
  });

  it("name the missing export of a file", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "reins-")), "nothing.mjs");
    writeFileSync(path, "export const other = 1;\n");
    const { code, err } = await reins("train", "dqn", "CartPole-v1", "--network", path);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("it exports no function for network. Example: export default"),
    ]);
    const missing = await reins("train", "dqn", "CartPole-v1", "--encoder", "./none.js");
    expect(missing.err).toContain("./none.js: there is no such file.");
  });
});
