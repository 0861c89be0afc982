import { type AlgorithmMaker, type Episode, type OptionTable, Run, type Stage, text } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { setBackend } from "@reins/tensor";
import { beforeAll, describe, expect, it } from "vitest";
import { rounds, weightsOf } from "../../post-training/testing.ts";
import { comparingStage, imitate } from "../testing.ts";
import { onlinePreferenceMethods } from "./table.ts";

setBackend("wasm");
beforeAll(imitate);

type Maker = AlgorithmMaker<OptionTable>;
const methods = Object.entries(onlinePreferenceMethods) as unknown as [string, Maker][];
/** Maximum learning rates that keep the texts of the tiny model near its start. */
const settings: { readonly [name: string]: object } = { spo: { groupSize: 4, learningRate: 3e-3 } };

function online(maker: unknown, options: object = {}, task: Stage = comparingStage()): Run {
  const own = maker as Maker;
  const algorithm = own({ groups: 8, learningRate: 3e-3, ...settings[own.definition.name], ...options });
  const env = { spec: { id: "comparing", observation: text(4), action: text(6) }, stage: task };
  return new Run({ algorithm, env, steps: 1_000_000, seed: 3 });
}

/** Mean utility of sampled completions. */
const scoreOf = async (run: Run) =>
  (await comparingStage().evaluate(run.process.acting!.weights, { episodes: 200, greedy: false })).mean;

describe.each(methods)("%s", (_, maker) => {
  it("raises the utility of what the model writes", async () => {
    const run = online(maker);
    const before = await scoreOf(await rounds(run, 0));
    await rounds(run, 25);
    expect(await scoreOf(run)).toBeGreaterThan(before + 0.05);
    expect(Object.values(run.metrics).every((x) => Number.isFinite(x) || Number.isNaN(x))).toBe(true);
  });

  it("stops and resumes without a difference", async () => {
    const whole = await rounds(online(maker), 4);
    const first = await rounds(online(maker), 2);
    const second = online(maker);
    second.restore(first.save());
    await rounds(second, 2);
    expect(weightsOf(second)).toEqual(weightsOf(whole));
    expect({ ...second.metrics }).toEqual({ ...whole.metrics });
  });
});

describe("online preference methods", () => {
  it("refuse groups without a pair, and stages that cannot sample from the reference policy", () => {
    expect(() => online(onlinePreferenceMethods["online-dpo"], { groupSize: 1 })).toThrow(
      "online-dpo: groupSize is 1, but completions are compared in pairs. Set it to at least 2.",
    );
    expect(() => online(onlinePreferenceMethods.inpo, { accumulate: 9 })).toThrow(
      "accumulate is 9 for 8 prompts",
    );
    expect(() => online(onlinePreferenceMethods.egpo, { groupSize: 3 })).toThrow(
      "egpo: groupSize is 3, but all completions are trained on in pairs. Set it to an even number.",
    );
    expect(() => online(onlinePreferenceMethods["nash-md"], { epochs: 2 })).toThrow(
      "nash-md: epochs is 2, but the gradient is that of the policy that sampled. Set it to 1.",
    );
    expect(() => online(onlinePreferenceMethods["nash-md"], { mixture: 1.5 })).toThrow("mixture");
    const { samplingModes: _, ...stage } = comparingStage();
    const plain: Stage = { ...stage, samplingModes: ["reference"] };
    expect(() => online(onlinePreferenceMethods["nash-md"], {}, plain)).toThrow(
      "nash-md: comparing cannot sample from the reference policy.",
    );
    expect(() => online(onlinePreferenceMethods.xpo, {}, stage)).toThrow(
      "xpo: comparing cannot sample from the reference policy. Use a task of single answers.",
    );
  });

  it("compare a completion of the policy with one of the frozen reference policy", async () => {
    const run = online(onlinePreferenceMethods.xpo);
    await rounds(run, 1);
    const roles = run.process.inspect!().episodes!.map(({ episode }) => episode.role ?? "policy");
    expect(roles.filter((role) => role === "policy")).toHaveLength(8);
    expect(roles.filter((role) => role === "teacher")).toHaveLength(8);
  });

  it("compare with the mixture, and train on the policy's own completions alone", async () => {
    const run = online(onlinePreferenceMethods["nash-md"], { groupSize: 3 });
    await rounds(run, 1);
    const all = run.process.inspect!().episodes!;
    const [own, mixed] = [undefined, "teacher"].map((role) => all.filter((j) => j.episode.role === role));
    expect([own.length, mixed.length]).toEqual([24, 8]);
    // Against one opponent a win rate is 0, 1/2 or 1.
    expect(own.every(({ reward }) => [0, 0.5, 1].includes(reward))).toBe(true);
    expect(run.metrics["batch/kept"]).toBe(0.75);
  });

  it("prefer as the task does", async () => {
    // The worse text wins, so the utility falls.
    const stage = comparingStage();
    const prefer = async (one: Episode, other: Episode) => {
      const [a, b] = await stage.judge([one, other], { statistics: new Statistics() });
      return a.reward === b.reward ? 0.5 : Number(a.reward < b.reward);
    };
    const run = online(onlinePreferenceMethods["online-dpo"], {}, { ...stage, prefer });
    const before = await scoreOf(await rounds(run, 0));
    await rounds(run, 25);
    expect(await scoreOf(run)).toBeLessThan(before - 0.05);
  });
});
