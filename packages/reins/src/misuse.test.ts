import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offlineDqn } from "@reins/algorithms";
import { RunDirectory } from "@reins/core/directory";
import { Statistics } from "@reins/core/metrics";
import { frameStack, normaliseObservation, normaliseReward } from "@reins/envs";
import { gymnasium, inWorkers } from "@reins/envs/remote";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { reins } from "./cli/testing.ts";
import {
  box,
  checkEnv,
  dict,
  discrete,
  dqn,
  evaluate,
  image,
  load,
  loadAgent,
  make,
  ppo,
  Run,
  register,
  resume,
  signals,
  sourceOf,
  type Trained,
  train,
  tuple,
} from "./index.ts";

// Mistakes of new users, each with the expected cause and the way out in the message.
vi.stubEnv("REINS_BACKEND", "wasm");

/** Passes a value that the types forbid, as a JavaScript program may. */
const slip = <T>(value: unknown): T => value as T;

type Misuse = readonly [what: string, call: () => unknown, cause: string, way: string];

function refused(misuses: readonly Misuse[]): void {
  it.each(misuses)("%s", async (_, call, cause, way) => {
    const error: unknown = await (async () => call())().then(
      () => undefined,
      (e: unknown) => e,
    );
    if (!(error instanceof Error)) return expect.unreachable("no error was thrown");
    expect(["ReinsError", "TensorError", "NnError"], error.message).toContain(error.name);
    expect(error.message).toContain(cause);
    expect(error.message).toContain(way);
  });
}

const env = "CartPole-v1";
const small = { envs: 2, steps: 16, hidden: [4], minibatches: 1, epochs: 1 };
const short = { env, steps: 64, evalEpisodes: 0 };
const on = (options: object) => train(slip({ algorithm: ppo(small), ...short, ...options }));

/** A corridor of three rooms, with some parts replaced. */
const corridor = (parts: object) => () => ({
  spec: { id: "Corridor-v0", observation: box([1], 0, 1), action: { kind: "discrete", n: 2, start: 0 } },
  reset: () => ({ observation: [0] }),
  step: () => ({ observation: [0.5], reward: 1, terminated: false, truncated: false }),
  ...parts,
});
const playing = (parts: object) => on({ env: corridor(parts) });

class MyEnv {
  spec = corridor({})().spec;
}

describe("train()", () => {
  refused([
    ["nothing", () => train(slip(undefined)), "this is undefined", "as in { algorithm: … }"],
    ["a name alone", () => train(slip("ppo")), 'this is "ppo"', "options are given by name"],
    ["{}", () => train(slip({})), "algorithm is missing", 'train({ algorithm: "ppo", env: "CartPole-v1" })'],
    ["no env", () => train(slip({ algorithm: "ppo" })), "env is missing", 'env: "CartPole-v1"'],
    [
      "an uncalled algorithm",
      () => on({ algorithm: ppo }),
      "is a function that makes one",
      "algorithm: ppo()",
    ],
    ["algorithm: {}", () => on({ algorithm: {} }), "the algorithm is {}", "such as ppo()"],
    ["algorithm: null", () => on({ algorithm: null }), "the algorithm is null", "such as ppo()"],
    ["a misspelled algorithm", () => on({ algorithm: "poo" }), "poo does not exist", "Did you mean ppo?"],
    ["PPO in capitals", () => on({ algorithm: "PPO" }), "PPO does not exist", "Did you mean ppo?"],
    ["step for steps", () => on({ step: 100 }), "there is no option step.", "Did you mean steps?"],
    [
      "environment for env",
      () => on({ environment: env }),
      "there is no option environment",
      "Did you mean env?",
    ],
    [
      "onProgres",
      () => on({ onProgres() {} }),
      "there is no option onProgres",
      "Did you mean onProgress or progress?",
    ],
    [
      "an algorithm's setting",
      () => on({ algorithm: "ppo", gamma: 0.9 }),
      "gamma is a setting of ppo",
      'train({ algorithm: "ppo", settings: { gamma: 0.9 }, … })',
    ],
    [
      "a setting whose name is close to an option",
      () => on({ algorithm: "ppo", envs: 4 }),
      "envs is a setting of ppo",
      "settings: { envs: 4 }",
    ],
    [
      "a setting beside a created algorithm",
      () => on({ algorithm: ppo(small), gamma: 0.9 }),
      "gamma is a setting of ppo. Pass it where the algorithm is created",
      "ppo({ gamma: 0.9 })",
    ],
    [
      "a setting under another library's name",
      () => on({ algorithm: "ppo", learning_rate: 0.1 }),
      "there is no option learning_rate; learningRate is a setting of ppo",
      "settings: { learningRate: 0.1 }",
    ],
    [
      "settings beside a created algorithm",
      () => on({ algorithm: ppo(small), settings: { gamma: 0.9 } }),
      "settings are for an algorithm by its name",
      'algorithm: "ppo"',
    ],
    ["an unknown setting", () => on({ algorithm: "ppo", settings: { gama: 0.9 } }), "gama", "gamma"],
    ["steps: 0", () => on({ steps: 0 }), "steps is 0", "a number above 0, such as"],
    ["steps in quotes", () => on({ steps: "1e5" }), 'steps is "1e5"', "a number above 0, such as"],
    ["a seed in words", () => on({ seed: "x" }), 'the seed is "x"', "a whole number from 0"],
    ["a seed below 0", () => on({ seed: -1 }), "the seed is -1", "a whole number from 0"],
    ["plan: {}", () => on({ plan: {} }), "is not a plan", "Leave the plan out"],
    ["directory: true", () => on({ directory: true }), "directory is true", "it must be a path"],
    ["overwrite alone", () => on({ overwrite: true }), "overwrite needs a directory", "Set `directory`"],
    [
      "a wrapper without a list",
      () => on({ wrappers: "clipReward" }),
      'wrappers is "clipReward"',
      "a list of names",
    ],
    [
      "an American wrapper",
      () => on({ wrappers: ["normalizeReward"] }),
      "normalizeReward does not exist",
      "normaliseReward",
    ],
    [
      "a function that makes one row whatever is requested",
      () => on({ algorithm: "ppo", env: () => make("CartPole-v1") }),
      "its function made 1 row, but 16 were requested",
      "(rows) => make(id, { rows })",
    ],
    [
      "running statistics that evaluation would lack, in a function",
      () => on({ env: (rows: number) => frameStack(normaliseObservation(make("CartPole-v1", { rows })), 2) }),
      "running statistics evaluation and saved agents would lack",
      'pass wrappers: ["normaliseObservation"]',
    ],
    [
      "running statistics that evaluation would lack, in an object",
      () => {
        const { spec } = make("CartPole-v1");
        return on({
          env: { spec, make: (rows: number) => normaliseObservation(make("CartPole-v1", { rows })) },
        });
      },
      "running statistics evaluation and saved agents would lack",
      'pass wrappers: ["normaliseObservation"]',
    ],
    [
      "a callback that is not a function",
      () => on({ onProgress: "print" }),
      'onProgress is "print"',
      "it must be a function",
    ],
    [
      "a misspelled callback",
      () => on({ callbacks: { onUpdat() {} } }),
      "there is no option onUpdat",
      "Did you mean onUpdate?",
    ],
    [
      "a string as a logged value",
      () =>
        on({
          callbacks: {
            onUpdate: (_: unknown, control: { log(name: string, value: unknown): void }) =>
              control.log("mine", "x"),
          },
        }),
      'mine is "x"',
      "it must be a number",
    ],
    ["evalEvery: 0", () => on({ evalEvery: 0 }), "evalEvery is 0", "a number above 0, such as 20000"],
    [
      "evalEpisodes: -1",
      () => on({ evalEpisodes: -1 }),
      "evalEpisodes is -1",
      "a whole number from 0, such as 100",
    ],
    ["checkpointEvery: 0", () => on({ checkpointEvery: 0 }), "checkpointEvery is 0", "a number above 0"],
    [
      "solved without solvedAt",
      () => on({ env: corridor({}), solved: true }),
      "does not define solvedAt",
      "set the number of steps",
    ],
  ]);
});

describe("environments", () => {
  const step = (answer: unknown) => playing({ step: () => answer });
  const seeing = (observation: unknown) =>
    playing({ spec: { id: "A-v0", observation, action: discrete(2) } });
  const fine = { observation: [0], reward: 1, terminated: false, truncated: false };
  refused([
    [
      "an instance",
      () => on({ env: corridor({})() }),
      "env is a single environment",
      "env: () => new MyEnv()",
    ],
    ["a class", () => on({ env: MyEnv }), "MyEnv is a class", "env: () => new MyEnv()"],
    ["null", () => on({ env: null }), "env is null", 'such as "CartPole-v1"'],
    ["a record", () => on({ env: { id: env } }), "env has id, but needs", "{ spec, make }"],
    ["a spec alone", () => on({ env: { spec: make(env).spec } }), "recorded data only", "Use an environment"],
    [
      "nothing made",
      () => on({ env: () => undefined }),
      "returned undefined",
      "it must return an environment",
    ],
    ["a promise", () => on({ env: async () => corridor({})() }), "asynchronous", "return the environment"],
    ["no spec", () => playing({ spec: undefined }), "has no `spec`", "spec = { id, observation"],
    ["no id", () => playing({ spec: {} }), "spec.id is undefined", "it must be a name"],
    [
      "no action space",
      () => playing({ spec: { id: "A-v0", observation: box([1]) } }),
      "spec.action is undefined",
      "discrete(2)",
    ],
    ["a box of a number", () => seeing(box(slip(4))), "a box whose shape is 4", "box([4])"],
    ["a box of nothing", () => seeing(box([0])), "has no numbers", "every size must be at least 1"],
    ["bounds the wrong way round", () => seeing(box([1], 1, -1)), "low is above high", "box([4], -1, 1)"],
    ["too many bounds", () => seeing(box([1], [0, 0], 1)), "1 numbers with 2 bounds", "one per number"],
    ["a tuple of a list", () => seeing(tuple(slip([box([1])]))), "a tuple of a list", "tuple(box([1])"],
    [
      "an image without channels",
      () => seeing(image(5, 5, slip(undefined))),
      "5 × 5 × undefined",
      "image(84, 84, 3)",
    ],
    [
      "a start by name",
      () => seeing(discrete(3, slip({ start: 1 }))),
      'starts at {"start":1}',
      "discrete(3, 1)",
    ],
    ["choices in quotes", () => seeing(dict({ a: discrete(slip("2")) })), 'a discrete of "2"', "discrete(2)"],
    [
      "a time-out in quotes",
      () => playing({ stepTimeout: "5", reset: async () => ({ observation: [0] }) }),
      'stepTimeout is "5"',
      "milliseconds above 0, such as 60000",
    ],
    [
      "worker for workers",
      () => inWorkers("./my-env.js", slip({ worker: 4 })),
      "there is no option worker",
      "Did you mean workers?",
    ],
    [
      "timeOut for timeout",
      () => gymnasium("CartPole-v1", slip({ timeOut: 5 })),
      "there is no option timeOut",
      "Did you mean timeout?",
    ],
    [
      "no step()",
      () => playing({ step: undefined }),
      "the environment has no step()",
      "reset() and step(action)",
    ],
    [
      "reset() without a result",
      () => playing({ reset() {} }),
      "reset() returned undefined",
      "it must be { observation }",
    ],
    [
      "step() without a result",
      () => step(undefined),
      "step() returned undefined",
      "{ observation, reward, terminated, truncated }",
    ],
    ["no reward", () => step({ ...fine, reward: undefined }), "the reward is undefined", "a finite number"],
    [
      "done, as in old Gym",
      () => step({ observation: [0], reward: 1, done: true }),
      "as `terminated`",
      "true or false",
    ],
    ["another shape", () => step({ ...fine, observation: [0, 0] }), "observation has 2 numbers", "Box([1]"],
    [
      "an unknown version",
      () => on({ env: "CartPole-v9" }),
      "unknown environment CartPole-v9",
      "Did you mean CartPole-v0 or CartPole-v1?",
    ],
    ["one of Gymnasium's", () => on({ env: "CarRacing-v3" }), "gymnasium:CarRacing-v3", "ids() lists all"],
    [
      "a misspelled option",
      () => on({ envOptions: { maxStps: 5 } }),
      "there is no option maxStps",
      "Did you mean maxSteps?",
    ],
    [
      "options of a function",
      () => on({ env: corridor({}), envOptions: { a: 1 } }),
      "for environments by name",
      "() => new MyEnv({ … })",
    ],
    ["row for rows", () => make(env, slip({ row: 4 })), "there is no option row", "Did you mean rows?"],
    ["rows: 0", () => make(env, { rows: 0 }), "rows is 0", "a whole number from 1"],
    ["maxSteps: 0", () => make(env, { maxSteps: 0 }), "maxSteps is 0", "a number above 0"],
    [
      "a probability of 2",
      () => make("Taxi-v4", { straight: 2 }),
      "straight is 2",
      "a number from 0 to 1, such as 0.8",
    ],
    [
      "a switch that is a word",
      () => make("Taxi-v4", slip({ rainy: "no" })),
      'rainy is "no"',
      "true or false",
    ],
    [
      "an id without a version",
      () => register({ id: "Mine", description: "", make: () => make(env) }),
      "has no version",
      'Name it "Mine-v0"',
    ],
    [
      "an instance for checkEnv",
      () => checkEnv(slip(corridor({})())),
      "the check compares several copies",
      "checkEnv(() => new MyEnv())",
    ],
    ["register() of nothing", () => register(slip({})), "got {}", "expected { id, make }"],
    [
      "an action outside",
      () => {
        const cart = make(env);
        cart.reset({ seed: 1 });
        cart.step(slip(box([1])));
      },
      "action",
      env,
    ],
    [
      "a step before a reset",
      () => make(env).step(slip([0])),
      "step() was called before reset()",
      "Call reset() first",
    ],
    [
      "a wrapper's option",
      () => normaliseReward(make(env), slip({ gama: 1 })),
      "there is no option gama",
      "Did you mean gamma?",
    ],
    ["frames by name", () => frameStack(make("Pendulum-v1"), slip({ frames: 4 })), "frames", "whole number"],
  ]);
});

describe("options of algorithms", () => {
  const { linear, pi } = signals;
  const kl = { of: "policy/kl", target: 0.01, initial: 0.2, gain: 1, integral: 0 };
  const follow = (of: string) => on({ algorithm: ppo({ ...small, clip: pi({ ...kl, of }) }) });
  refused([
    ["null", () => ppo(slip(null)), "this is null", "options are given by name"],
    [
      "hidden: 64",
      () => ppo(slip({ hidden: 64 })),
      "hidden is 64",
      "a list of whole numbers from 1, such as [64,64]",
    ],
    [
      "learning_rate",
      () => ppo(slip({ learning_rate: 1 })),
      "no option learning_rate",
      "Did you mean learningRate?",
    ],
    [
      "a name of Stable-Baselines3's",
      () => ppo(slip({ ent_coef: 0.01 })),
      "no option ent_coef",
      "Did you mean entropyWeight?",
    ],
    ["a name far from all", () => ppo(slip({ xyzzy: 1 })), "no option xyzzy", "Options: learningRate"],
    ["gamma: 2", () => ppo({ gamma: 2 }), "gamma is 2", "a number from 0 to 1, such as 0.99"],
    [
      "learningRate: -1",
      () => ppo({ learningRate: -1 }),
      "learningRate is -1",
      "a number of at least 0, such as 0.00025",
    ],
    [
      "learningRate: NaN",
      () => ppo({ learningRate: Number.NaN }),
      "learningRate is NaN",
      "a number of at least 0",
    ],
    ["a number in quotes", () => ppo(slip({ clip: "0.2" })), 'clip is "0.2"', "a number or a signal such as"],
    ["a switch in quotes", () => ppo(slip({ clipValue: "false" })), 'clipValue is "false"', "true or false"],
    ["envs: 0", () => ppo({ envs: 0 }), "envs is 0", "a whole number from 1, such as 8"],
    ["envs: 2.5", () => ppo({ envs: 2.5 }), "envs is 2.5", "a whole number from 1, such as 8"],
    ["a misspelled word", () => ppo(slip({ memory: "lstmm" })), 'memory is "lstmm"', "Did you mean lstm?"],
    [
      "an unknown activation",
      () => on({ algorithm: ppo(slip({ ...small, activation: "rellu" })) }),
      'unknown activation "rellu"',
      "Use one of relu",
    ],
    [
      "a schedule that leaves the range",
      () => ppo({ gamma: linear(0.9, 1.5) }),
      "to of linear is 1.5",
      "a number from 0 to 1",
    ],
    [
      "a controller that begins outside",
      () => ppo({ gamma: pi({ ...kl, initial: 7 }) }),
      "initial of pi is 7",
      "a number from 0 to 1",
    ],
    [
      "a bound outside",
      () => ppo({ gamma: pi({ ...kl, max: 7 }) }),
      "max of pi is 7",
      "a number from 0 to 1",
    ],
    [
      "bounds the wrong way round",
      () => ppo({ clip: pi({ ...kl, min: 1, max: 0.1 }) }),
      "min of pi is 1 and max is 0.1",
      "Swap them",
    ],
    [
      "a misspelled part of a signal",
      () => ppo({ clip: pi(slip({ ...kl, taget: 1 })) }),
      "pi has no taget",
      "Did you mean target?",
    ],
    [
      "a part that is missing",
      () => ppo({ clip: pi(slip({ of: "policy/kl" })) }),
      "pi needs target and initial",
      "as in pi(of=",
    ],
    [
      "an unknown signal",
      () => ppo({ clip: slip({ signal: "lineer" }) }),
      "there is no signal lineer",
      "Did you mean linear?",
    ],
    [
      "a schedule over twice the run",
      () => ppo({ clip: linear(1, 0, 2) }),
      "over of linear is 2",
      "a number from 0 to 1",
    ],
    [
      "a metric that is never measured",
      () => follow("policy/foo"),
      "follows policy/foo, which is never measured",
      "There are",
    ],
    [
      "a misspelled metric",
      () => follow("policy/entrpy"),
      "follows policy/entrpy",
      "Did you mean policy/entropy?",
    ],
    [
      "minibatches that do not fit",
      () => on({ algorithm: ppo({ ...small, minibatches: 7 }) }),
      "2 environments × 16 steps",
      "equal minibatches",
    ],
    [
      "continuous actions for dqn",
      () => on({ algorithm: dqn(), env: "Pendulum-v1" }),
      "has box actions",
      "dqn needs discrete actions",
    ],
    ["states that are not discrete", () => on({ algorithm: "q" }), "which is not discrete", "Use dqn"],
    [
      "steps for a method of episodes",
      () => on({ algorithm: "sft" }),
      "is a stepped environment",
      "use ppo or dqn",
    ],
    [
      "a setting of another name in a run",
      () => running().set("learningRte", 1),
      "has no setting learningRte",
      "Did you mean learningRate?",
    ],
    [
      "a setting out of range in a run",
      () => running().set("gamma", 2),
      "gamma is 2",
      "a number from 0 to 1",
    ],
  ]);
  const running = () => new Run({ algorithm: ppo(small), env: sourceOf(env), steps: 64 });
});

describe("runs in memory", () => {
  const begin = (options: object) =>
    new Run(slip({ algorithm: ppo(small), env: sourceOf(env), steps: 64, ...options }));
  refused([
    ["a misspelled option", () => begin({ sed: 1 }), "there is no option sed", "Did you mean seed?"],
    ["an uncalled algorithm", () => begin({ algorithm: ppo }), "is a function that makes one", "ppo()"],
    ["the name of an environment", () => begin({ env }), "env has no `spec`", "Pass { spec, make }"],
    ["no steps", () => begin({ steps: undefined }), "steps is undefined", "such as 100_000"],
    ["a checkpoint of nothing", () => begin({}).restore({}), "not a checkpoint of a run", "run.save()"],
  ]);
});

describe("data and agents", () => {
  let agent: Trained;
  beforeAll(async () => {
    agent = await train({ algorithm: ppo(small), ...short });
  });
  const learnFrom = (data: unknown) => train({ algorithm: offlineDqn(), ...short, data });
  const lists = {
    observation: [[0, 0, 0, 0]],
    action: [0],
    reward: [0],
    next: [[0, 0, 0, 0]],
    discount: [1],
  };
  refused([
    [
      "no data",
      () => learnFrom(undefined),
      "learns from recorded transitions",
      "Pass them to the run as `data`",
    ],
    ["plain arrays as data", () => learnFrom(lists), "observation", "tensor("],
    ["data without columns", () => learnFrom({}), "is empty", "tensor("],
    [
      "an observation too short",
      () => agent.act([0, 0, 0]),
      "observation has 3 numbers",
      "trained on CartPole-v1",
    ],
    [
      "no observation",
      () => agent.act(slip(undefined)),
      "observation is undefined",
      "trained on CartPole-v1",
    ],
    [
      "an observation with a NaN",
      () => agent.act([0, Number.NaN, 0, 0]),
      "observation",
      "trained on CartPole-v1",
    ],
    [
      "a mask too long",
      () => agent.act([0, 0, 0, 0], [1, 1, 1]),
      "the mask has 3 entries",
      "one for each choice of Discrete(2)",
    ],
    [
      "evaluate({ episodes })",
      () => agent.evaluate(slip({ episodes: 3 })),
      'episodes is {"episodes":3}',
      "a whole number from 1, such as 100",
    ],
    [
      "an unknown option",
      () => agent.evaluate(3, slip({ greddy: true })),
      "there is no option greddy",
      "Did you mean greedy?",
    ],
    ["evaluate(null)", () => evaluate(slip(null)), "the agent is null", "the result of train() or load()"],
    [
      "policy: null",
      () => evaluate(slip({ policy: null, weights: {} }), env),
      "the policy is null",
      "Pass one that acts",
    ],
    [
      "another environment's shape",
      () => agent.evaluate(3, { env: "Pendulum-v1" }),
      "trained on CartPole-v1",
      "Pendulum-v1 has",
    ],
    [
      "an option of save()",
      () => agent.save("x", slip({ traning: true })),
      "there is no option traning",
      "Did you mean training?",
    ],
    ["no agent", () => loadAgent(slip(undefined)), "of a file that agent.save() wrote", "path, URL or bytes"],
    ["a folder as an agent", () => loadAgent("."), "this is a folder", "use load()"],
    [
      "an agent without its training",
      async () => train({ from: await agent.save(), ...short }),
      "the file has no training state",
      "{ training: true }",
    ],
    [
      "saveModel() without a language model",
      () => agent.saveModel("x"),
      "is not a named language task",
      "it has no language model",
    ],
  ]);
  it("evaluates an agent", () => {
    expect(evaluate(agent, undefined, { episodes: 2 }).count).toBe(2);
  });
});

describe("runs on disk", () => {
  let root: string;
  let run: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "reins-"));
    run = join(root, "run");
    await train({ algorithm: ppo(small), ...short, directory: run });
    writeFileSync(join(root, "file"), "");
    mkdirSync(join(root, "empty"));
    mkdirSync(join(root, "letters"));
    writeFileSync(join(root, "letters", "letter.txt"), "mine");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  refused([
    ["no path", () => load(slip(undefined)), "the path is undefined", "Pass the directory of a run"],
    ["a missing path", () => load(join(root, "nowhere")), "Not a run directory", "`reins runs` lists"],
    ["a file", () => load(join(root, "file")), "Not a run directory", "`reins runs` lists"],
    ["a folder without a run", () => load(join(root, "empty")), "no config.json", "`reins runs` lists"],
    [
      "an unknown option of load()",
      () => load(run, slip({ environment: env })),
      "there is no option environment",
      "Did you mean env?",
    ],
    [
      "an unknown option of resume()",
      () => resume(run, slip({ step: 9 })),
      "there is no option step",
      "Did you mean steps?",
    ],
    [
      "fewer steps than were taken",
      () => resume(run, { steps: 32 }),
      "it has already taken 64",
      "Request more to extend it",
    ],
    [
      "a directory with a run",
      () => on({ directory: run }),
      "the directory already holds a run",
      "overwrite: true",
    ],
    [
      "a directory of something else",
      () => on({ directory: join(root, "letters") }),
      "holds no run",
      "Choose another",
    ],
    [
      "a file as directory",
      () => on({ directory: join(root, "file") }),
      "creating the directory failed",
      "file",
    ],
    [
      "an unknown option of a directory",
      () => RunDirectory.open(run, slip({ keeep: 3 })),
      "there is no option keeep",
      "Did you mean keep?",
    ],
  ]);
  it("overwrites a run with overwrite: true", async () => {
    const again = await on({ directory: run, overwrite: true, seed: 3 });
    expect(RunDirectory.open(again.directory ?? "").config.seed).toBe(3);
  });
});

it("accepts a signal of a metric that is measured later", () => {
  const statistics = new Statistics();
  statistics.announce(["mine/score"]);
  expect(statistics.known()).toEqual(["mine/score"]);
  expect(statistics.names()).toEqual([]);
});

describe("the command line", () => {
  const cart = (...flags: string[]) => [
    "train",
    "ppo",
    env,
    "--no-save",
    "--quiet",
    "--steps",
    "64",
    ...flags,
  ];
  it.each<[string, string[], string, string]>([
    ["an unknown command", ["trian"], "unknown command trian", "Did you mean train?"],
    ["an unknown algorithm", ["train", "ppp", env], "unknown algorithm ppp", "Did you mean ppo"],
    ["no algorithm", ["train", env], `${env} is an environment`, `reins train ppo ${env}`],
    [
      "an option of the environment without its prefix",
      ["train", "ppo", env, "--max-steps", "9"],
      "unknown flag --max-steps",
      "--env-max-steps",
    ],
    [
      "an option of a language task under another library's name",
      ["train", "grpo", "problems.jsonl", "--max-completion-length", "9"],
      "unknown flag --max-completion-length",
      "--env-max-tokens",
    ],
    [
      "steps of a round under another library's name",
      ["train", "ppo", env, "--n-steps", "9"],
      "unknown flag --n-steps",
      "--ppo-steps",
    ],
    [
      "an unknown environment",
      ["train", "ppo", "CartPoel-v1"],
      "unknown environment CartPoel-v1",
      "Did you mean CartPole-v",
    ],
    ["one of Gymnasium's", ["train", "ppo", "CarRacing-v3"], "gymnasium:CarRacing-v3", "reins envs"],
    [
      "a misspelled task",
      ["train", "grpo", "arithmetc"],
      "unknown environment arithmetc",
      "Did you mean arithmetic?",
    ],
    [
      "a misspelled flag",
      cart("--learning-rat", "1"),
      "unknown flag --learning-rat",
      "Did you mean --learning-rate",
    ],
    [
      "a flag of Stable-Baselines3's",
      cart("--ent-coef", "0.01"),
      "unknown flag --ent-coef",
      "Did you mean --entropy-weight?",
    ],
    [
      "a flag of another command",
      ["eval", "--learning-rate", "1"],
      "unknown flag --learning-rate",
      "reins eval --help",
    ],
    [
      "a misspelled option of the environment",
      cart("--env-max-stps", "9"),
      "there is no option maxStps",
      "Did you mean maxSteps?",
    ],
    ["--gamma 2", cart("--gamma", "2"), "gamma is 2", "a number from 0 to 1"],
    ["--learning-rate -1", cart("--learning-rate", "-1"), "learningRate is -1", "a number of at least 0"],
    [
      "a schedule out of range",
      cart("--gamma", "linear(0.9, 2)"),
      "to of linear is 2",
      "a number from 0 to 1",
    ],
    ["--clip-value maybe", cart("--clip-value=maybe"), "--clip-value is a switch", "--clip-value false"],
    ["--steps 0", cart("--steps", "0"), "--steps takes a whole number of at least 1", "Example: --steps 10"],
    ["--seed x", cart("--seed", "x"), 'not "x"', "Example: --seed 10"],
    ["--env-max-steps 0", cart("--env-max-steps", "0"), "maxSteps is 0", "a number above 0"],
    [
      "a metric that is never measured",
      cart("--clip", "pi(of=policy/foo, target=1, initial=0.2, gain=1)"),
      "follows policy/foo",
      "There are",
    ],
    ["--overwrite of nothing", ["train", "ppo", env, "--overwrite"], "--overwrite needs", "--name NAME"],
    ["a folder as an environment", ["train", "ppo", "./"], "this is a folder", "./my-env.js"],
    ["a table as a dataset", ["train", "grpo", "problems.csv"], "Convert it to JSON Lines", '"answer": "4"'],
    [
      "a model's name as a folder",
      ["train", "grpo", "arithmetic", "--env-folder", "Qwen/Qwen2.5-0.5B"],
      "models are not downloaded",
      "hf download",
    ],
    ["no such file", ["train", "ppo", "./none.js"], "there is no such file", "./none.js"],
    [
      "an unknown level",
      ["train", "grpo", "arithmetic", "--env-level", "99"],
      "level 99 does not exist",
      "Levels go from 1",
    ],
    [
      "a level instead of the supervised phase before it",
      ["train", "grpo", "arithmetic", "--env-supervised-tokens", "400k", "--env-level", "99"],
      "level 99 does not exist",
      "Levels go from 1",
    ],
    [
      "a misspelled option of a task",
      ["train", "grpo", "arithmetic", "--env-levl", "1"],
      "there is no option levl",
      "Did you mean level?",
    ],
    ["no run", ["eval", "nowhere"], "unknown run nowhere", "Run reins runs"],
    ["an unknown metric's axis", ["runs", "plot", "--x", "hours"], "unknown axis --x hours", "--x steps"],
  ])("%s", async (_, args, cause, way) => {
    const { code, err } = await reins(...args);
    expect(err).toMatch(/^reins: .*\n$/);
    expect(err).toContain(cause);
    expect(err).toContain(way);
    expect([1, 2]).toContain(code);
  });
  it.each([
    ["a switch with its value apart", cart("--clip-value", "false", "--eval-episodes", "0")],
    ["numbers with a unit everywhere", cart("--env-max-steps", "1k", "--eval-episodes", "0")],
  ])("accepts %s", async (_, args) => {
    expect(await reins(...args)).toMatchObject({ code: 0, err: "" });
  });
});
