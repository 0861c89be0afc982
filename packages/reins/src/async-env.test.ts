import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { dqn, ppo, sac } from "@reins/algorithms";
import {
  type AsyncEnv,
  type Env,
  type EnvSpec,
  type ResetOptions,
  Run,
  type Step,
  type Value,
} from "@reins/core";
import { makeSingle } from "@reins/envs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { evaluate } from "./evaluate.ts";
import { sourceOf } from "./places/source-of.ts";
import { train } from "./train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

/** A channel whose messages arrive at different times, as with a WebSocket. */
class Line {
  onmessage: (letter: { data: string }) => void = () => {};
  private readonly env: Env;
  private sent = 0;

  constructor(env: Env) {
    this.env = env;
  }

  send(text: string): void {
    const { call, given } = JSON.parse(text);
    const answer = call === "reset" ? this.env.reset(given) : this.env.step(given);
    const plain = (_: string, x: unknown) => (ArrayBuffer.isView(x) ? [...(x as Float32Array)] : x);
    const data = JSON.stringify(answer, plain);
    const wait = (this.sent++ * 7) % 3;
    if (wait === 0) queueMicrotask(() => this.onmessage({ data }));
    else setTimeout(() => this.onmessage({ data }), wait - 1);
  }
}

/** An environment behind a channel. */
class Remote implements AsyncEnv {
  readonly spec: EnvSpec;
  private readonly line: { send(text: string): void; onmessage: (letter: { data: string }) => void };
  private waiting: ((answer: unknown) => void) | undefined;

  constructor(spec: EnvSpec, line: Remote["line"]) {
    this.spec = spec;
    this.line = line;
    line.onmessage = ({ data }) => this.waiting?.(JSON.parse(data));
  }

  reset(options?: ResetOptions): Promise<{ observation: Value }> {
    return this.ask("reset", options ?? {});
  }

  step(action: Value): Promise<Step> {
    return this.ask("step", typeof action === "number" ? action : Array.from(action as ArrayLike<number>));
  }

  private ask<T>(call: string, given: unknown): Promise<T> {
    return new Promise((resolve) => {
      this.waiting = resolve as (answer: unknown) => void;
      this.line.send(JSON.stringify({ call, given }));
    });
  }
}

const here = (id: string) => () => makeSingle(id);
const remote = (id: string) => () => {
  const env = makeSingle(id);
  return new Remote(env.spec, new Line(env));
};

const cases = [
  ["ppo", "CartPole-v1", () => ppo({ envs: 3, steps: 20, minibatches: 2, hidden: [8] }), 240],
  ["dqn", "CartPole-v1", () => dqn({ hidden: [8], learningStarts: 32, batch: 16 }), 192],
  ["sac", "Pendulum-v1", () => sac({ hidden: [8], learningStarts: 32, batch: 16 }), 96],
] as const;

it.each(cases)("%s trains identically on an asynchronous environment", async (_, id, algorithm, steps) => {
  const options = { steps, seed: 3, evalEpisodes: 3 };
  const near = await train({ ...options, algorithm: algorithm(), env: here(id) });
  const far = await train({ ...options, algorithm: algorithm(), env: remote(id) });
  expect(far.run.metrics).toEqual(near.run.metrics);
  expect(far.return).toEqual(near.return);
  expect(far.steps).toBe(near.steps);
});

it("wrappers await answers", async () => {
  const options = {
    steps: 96,
    seed: 3,
    evalEpisodes: 2,
    wrappers: ["normaliseObservation", "normaliseReward"],
  };
  const algorithm = () => sac({ hidden: [8], learningStarts: 32, batch: 16 });
  const near = await train({ ...options, algorithm: algorithm(), env: here("Pendulum-v1") });
  const far = await train({ ...options, algorithm: algorithm(), env: remote("Pendulum-v1") });
  expect(far.run.metrics).toEqual(near.run.metrics);
  expect(far.return).toEqual(near.return);
});

it("callbacks run after the answer has arrived", async () => {
  const told = async (env: ReturnType<typeof here> | ReturnType<typeof remote>) => {
    const episodes: unknown[] = [];
    const algorithm = ppo({ envs: 3, steps: 20, minibatches: 2, hidden: [8] });
    const callbacks = { onEpisode: (e: object) => void episodes.push({ ...e }) };
    const { run } = await train({ algorithm, env, steps: 240, seed: 3, evalEpisodes: 0, callbacks });
    return { episodes, metrics: run.metrics };
  };
  const near = await told(here("CartPole-v1"));
  expect(near.episodes.length).toBeGreaterThan(3);
  expect(await told(remote("CartPole-v1"))).toEqual(near);
});

it("synchronous functions name their asynchronous counterpart", () => {
  const algorithm = ppo({ envs: 2, steps: 8, minibatches: 1, hidden: [4] });
  const run = new Run({ algorithm, env: sourceOf(remote("CartPole-v1")), steps: 64 });
  expect(() => run.advance()).toThrow("Use advanceAsync() instead of advance()");
  expect(() => evaluate(run)).toThrow("CartPole-v1 answers asynchronously. Use await agent.evaluate()");
});

it("algorithms without asynchronous rounds refuse", async () => {
  const env = remote("FrozenLake-v1");
  await expect(train({ algorithm: "q", env, steps: 10 })).rejects.toThrow("answers asynchronously");
});

/** Serves environments: one JSON line per JSON line. */
let server: Server;
let port: number;
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    const env = makeSingle("CartPole-v1");
    const plain = (_: string, x: unknown) => (ArrayBuffer.isView(x) ? [...(x as Float32Array)] : x);
    createInterface(socket).on("line", (line) => {
      const { call, given } = JSON.parse(line);
      if (call === "hang") return;
      socket.write(`${JSON.stringify(call === "reset" ? env.reset(given) : env.step(given), plain)}\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as { port: number }).port;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** One line of text per message, over TCP. */
class TcpLine {
  onmessage: (letter: { data: string }) => void = () => {};
  readonly socket = connect(port, "127.0.0.1");

  constructor() {
    this.socket.unref();
    createInterface(this.socket).on("line", (data) => this.onmessage({ data }));
  }

  send(text: string): void {
    this.socket.write(`${text}\n`);
  }
}

it("trains in an environment behind a server", async () => {
  const { spec } = makeSingle("CartPole-v1");
  const algorithm = () => ppo({ envs: 3, steps: 20, minibatches: 2, hidden: [8] });
  const options = { steps: 120, seed: 5, evalEpisodes: 2 };
  const near = await train({ ...options, algorithm: algorithm(), env: here("CartPole-v1") });
  const far = await train({
    ...options,
    algorithm: algorithm(),
    env: () => new Remote(spec, new TcpLine()),
  });
  expect(far.run.metrics).toEqual(near.run.metrics);
  expect(far.return).toEqual(near.return);
});

it("a silent server ends the run, with the row and the step", async () => {
  const { spec } = makeSingle("CartPole-v1");
  class Silent extends Remote {
    readonly stepTimeout = 200;
    private steps = 0;
    override step(action: Value): Promise<Step> {
      return ++this.steps === 4 ? new Promise(() => {}) : super.step(action);
    }
  }
  const algorithm = ppo({ envs: 2, steps: 8, minibatches: 1, hidden: [4] });
  const training = train({ algorithm, env: () => new Silent(spec, new TcpLine()), steps: 64, seed: 1 });
  await expect(training).rejects.toThrow("CartPole-v1, row 0: step 4 of its episode timed out after 200 ms.");
});
