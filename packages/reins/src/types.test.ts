import { type DatasetLine, dataset, type Problem, textTask } from "@reins/language";
import { expectTypeOf, it } from "vitest";
import { type Agent, type Env, make, ppo, signals, type Trained, train, type Value } from "./index.ts";

// The type checker tests this file: a wrong type does not compile, and none of these functions is called.

it("accepts algorithms and environments, and returns an agent", () => {
  const calls = async (mine: () => Env) => {
    const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1, solved: true });
    expectTypeOf(agent).toEqualTypeOf<Trained>();
    expectTypeOf(agent).toExtend<Agent>();
    expectTypeOf(agent.return.mean).toBeNumber();
    expectTypeOf(agent.act([0, 0, 0, 0])).toEqualTypeOf<Value>();
    await train({ algorithm: ppo({ clip: signals.linear(0.2, 0) }), env: mine, steps: 1000 });
    await train({
      algorithm: "ppo",
      env: mine,
      settings: { learningRate: signals.linear(1e-3, 0), hidden: [8] },
    });
    await train({ algorithm: "./mine.js", env: mine, settings: { pace: "slow" } });
    await train({ algorithm: ppo(), env: (rows) => make("CartPole-v1", { rows }) });
    expectTypeOf(textTask).returns.toExtend<Parameters<typeof train>[0]["env"]>();
  };
  expectTypeOf(calls).toBeFunction();
});

it("accepts judges of a dataset's lines, and no judge that returns a boolean", () => {
  const judge = (answer: string, { data }: Problem<DatasetLine>) => (answer === data.answer ? 1 : 0);
  const calls = () => {
    train({ algorithm: "grpo", env: "problems.jsonl", judge });
    dataset("problems.jsonl", { judge });
    train({
      algorithm: "grpo",
      env: "problems.jsonl",
      judge: async (answer, problem) => answer.length + problem.level,
    });
    const same = (answer: string, problem: Problem) => answer === problem.answer;
    // @ts-expect-error a reward is a number
    dataset("problems.jsonl", { judge: same });
  };
  expectTypeOf(calls).toBeFunction();
});

it("completes known names, and accepts others", () => {
  type Options = Parameters<typeof train>[0];
  type Literal<T> = T extends string ? (string extends T ? never : T) : never;
  expectTypeOf<"ppo-adaptive">().toExtend<Literal<Options["algorithm"]>>();
  expectTypeOf<"CartPole-v1">().toExtend<Literal<Options["env"]>>();
  expectTypeOf<"normaliseReward">().toExtend<Literal<NonNullable<Options["wrappers"]>[number]>>();
  const calls = () =>
    train({ algorithm: "./mine.js", env: "gymnasium:Pong-v5", wrappers: ["rnd:weight=0.5"], steps: 1 });
  expectTypeOf(calls).toBeFunction();
});

it("rejects mistakes at compile time", () => {
  const calls = () => {
    // @ts-expect-error env is missing
    train({ algorithm: "ppo" });
    // @ts-expect-error the option is `steps`
    train({ algorithm: "ppo", env: "CartPole-v1", step: 1000 });
    // @ts-expect-error steps must be a number
    train({ algorithm: "ppo", env: "CartPole-v1", steps: "1000" });
    // @ts-expect-error the algorithm must be called
    train({ algorithm: ppo, env: "CartPole-v1" });
    // @ts-expect-error unknown option
    train({ algorithm: ppo({ clipp: 0.1 }), env: "CartPole-v1" });
    // @ts-expect-error a learning rate is a number or a signal
    train({ algorithm: "ppo", env: "CartPole-v1", settings: { learningRate: "fast" } });
    // @ts-expect-error unknown kind of noise
    train({ algorithm: ppo({ noise: "brown" }), env: "CartPole-v1" });
  };
  expectTypeOf(calls).toBeFunction();
});
