import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { saveCharacters } from "@reins/language";
import { describe, expect, it, vi } from "vitest";
import { main } from "../cli/main.ts";
import { folder, reins } from "../cli/testing.ts";
import { load, train } from "../index.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

async function run() {
  const directory = join(folder(), "run");
  await train({
    algorithm: "grpo",
    env: "twenty-questions",
    envOptions: { level: 1, layers: 1, width: 16, heads: 2, rows: 8, supervisedTokens: 100 },
    settings: { groups: 2, groupSize: 2 },
    steps: 200,
    directory,
    evalEpisodes: 0,
  });
  return directory;
}
const body = { model: "reins", messages: [{ role: "user", content: "0" }] };
const asked = (baseURL: string, key: string) =>
  fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("reins serve", () => {
  it("serves a trained model, with a key, until it is closed", async () => {
    const agent = await load(await run());
    const { baseURL, key, model, close } = await agent.serve();
    expect(baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(model).toBe("reins");
    const [one, again] = [await asked(baseURL, key), await asked(baseURL, key)];
    expect(one.status).toBe(200);
    // Greedy replies are deterministic.
    const said = async (r: Response) => (await r.json()).choices[0].message.content;
    expect(await said(one)).toBe(await said(again));
    expect((await asked(baseURL, "other")).status).toBe(401);
    await close();
    await expect(asked(baseURL, key)).rejects.toThrow();
  });

  it("prints its address, and stops on Ctrl-C", async () => {
    const directory = await run();
    let out = "";
    const interrupt = {
      write(text: string) {
        out += text;
        if (text.includes("Press Ctrl-C to stop.")) process.emit("SIGINT");
      },
    };
    const args = ["serve", directory, "--key", "secret", "--model", "mine"];
    expect(await main(args, { out: interrupt, err: { write() {} } })).toBe(0);
    expect(out).toMatch(/base URL {2}http:\/\/127\.0\.0\.1:\d+\/v1\nkey {7}secret\nmodel {5}mine\n/);
  });

  it("serves a model folder and adapters by name", async () => {
    const peft = fileURLToPath(new URL("../../../language/fixtures/peft/qwen3", import.meta.url));
    const model = join(folder(), "my-model");
    cpSync(peft, model, { recursive: true });
    await saveCharacters(model, "abcdefghijklmnopqrstuvwxyz .,?");
    let out = "";
    const interrupt = {
      write(text: string) {
        out += text;
        if (text.includes("Press Ctrl-C to stop.")) process.emit("SIGINT");
      },
    };
    const adapters = ["--adapter", `all=${join(model, "all")}`, "--adapter", `few=${join(model, "few")}`];
    const args = ["serve", model, ...adapters, "--key", "secret", "--context", "24"];
    const err: string[] = [];
    const code = await main(args, { out: interrupt, err: { write: (text: string) => err.push(text) } });
    expect([code, err]).toEqual([0, []]);
    expect(out).toContain("64 replies at a time, context 24");
    expect(out).toMatch(/key {7}secret\nmodels {4}my-model, all, few\n/);
    const wrong = async (...args: string[]) => (await reins("serve", model, ...args)).err;
    expect(await wrong("--adapter", "all")).toContain("--adapter all has no name and path");
    expect(await wrong("--adapter", "a=x", "--adapter", "a=y")).toContain("--adapter a is given twice");
    expect(await wrong("--best")).toContain("--best is for a run");
    expect((await reins("serve", "some-run", "--rows", "2")).err).toContain("--rows is for a model folder");
  });

  it("rejects runs without a language model", async () => {
    const directory = join(folder(), "cart");
    const settings = { envs: 2, steps: 16, minibatches: 1, hidden: [4] };
    await train({ algorithm: "ppo", env: "CartPole-v1", settings, steps: 64, directory, evalEpisodes: 0 });
    const { code, err } = await reins("serve", directory);
    expect(code).toBe(1);
    expect(err).toContain("CartPole-v1 is not a language task, so it has no model to serve.");
  });
});
