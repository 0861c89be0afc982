import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { AsyncEnv, Step } from "../env.ts";
import { box, discrete } from "../space.ts";
import { requireSynchronous, withTimeout } from "./async-answers.ts";
import { single } from "./single.ts";
import { vectorise } from "./vectorise.ts";

/** Answers on demand. Its observation is the number of requests, and its episodes have three steps. */
class Letter implements AsyncEnv {
  readonly spec = { id: "Letter-v0", observation: box([1]), action: discrete(2) };
  readonly stepTimeout: number;
  /** Sends the pending answers. */
  deliver: () => void = () => {};
  private asked = 0;
  private steps = 0;

  constructor(stepTimeout = 1000) {
    this.stepTimeout = stepTimeout;
  }

  reset({ seed = -1 } = {}) {
    this.steps = 0;
    return this.later({ observation: [seed] });
  }

  step(action: unknown): Promise<Step> {
    const over = ++this.steps === 3;
    return this.later({
      observation: [++this.asked],
      reward: action as number,
      terminated: over,
      truncated: false,
    });
  }

  private later<T>(answer: T): Promise<T> {
    return new Promise((resolve) => {
      this.deliver = () => resolve(answer);
    });
  }
}

const turn = () => new Promise((done) => setTimeout(done, 0));

async function three(order: readonly number[]) {
  const envs = [0, 1, 2].map(() => new Letter());
  const env = vectorise((i) => envs[i], 3);
  const seen: number[][] = [];
  const answered = async () => {
    for (const row of order) {
      envs[row].deliver();
      await turn();
    }
    // An episode that ended restarts, which is another request.
    for (const row of order) envs[row].deliver();
    await env.pending;
    seen.push([
      ...(env.observation as Tensor).data,
      ...env.reward.data,
      ...env.terminated.data,
      ...env.ended.length,
    ]);
  };
  env.reset({ seed: [5, 6, 7] });
  await answered();
  for (let t = 0; t < 7; t++) {
    env.step(tensor(Int32Array.of(t % 2, 1, 0)));
    await answered();
  }
  return seen;
}

it("rows answer in any order, and a step is done when all have", async () => {
  const [forth, back] = [await three([0, 1, 2]), await three([2, 0, 1])];
  expect(forth).toEqual(back);
  expect(forth[0].slice(0, 3)).toEqual([5, 6, 7]);
  // The third step ends an episode: the observation is the next one's first.
  expect(forth[3]).toEqual([-1, -1, -1, 0, 1, 0, 1, 1, 1, 3, 3, 3]);
});

it("waits until the last row has answered", async () => {
  const envs = [new Letter(), new Letter()];
  const env = vectorise((i) => envs[i], 2);
  env.reset();
  let done = false;
  const all = env.pending!.then(() => {
    done = true;
  });
  envs[1].deliver();
  await turn();
  expect(done).toBe(false);
  expect(() => env.step(tensor(Int32Array.of(0, 0)))).toThrow(
    "step() was called before all copies had answered",
  );
  envs[0].deliver();
  await all;
});

it("a missing answer is an error with the row and the step", async () => {
  const envs = [new Letter(20), new Letter(20)];
  const env = vectorise((i) => envs[i], 2);
  const all = async () => {
    for (const e of envs) e.deliver();
    await env.pending;
  };
  env.reset({ seed: 1 });
  await all();
  env.step(tensor(Int32Array.of(0, 0)));
  await all();
  env.step(tensor(Int32Array.of(0, 0)));
  envs[0].deliver();
  await expect(env.pending).rejects.toThrow("Letter-v0, row 1: step 2 of its episode timed out after 20 ms.");
});

it("a rejected answer and an invalid one are errors too", async () => {
  const spec = { id: "Bad-v0", observation: box([1]), action: discrete(2) };
  const bad = (step: () => Promise<unknown>) =>
    vectorise(() => ({ spec, reset: async () => ({ observation: [0] }), step }) as AsyncEnv, 1);
  const stepped = async (step: () => Promise<unknown>) => {
    const env = bad(step);
    env.reset();
    await env.pending;
    env.step(tensor(Int32Array.of(0)));
    await env.pending;
  };
  await expect(stepped(() => Promise.reject(new Error("the line is dead")))).rejects.toThrow(
    "Bad-v0, row 0: step() failed: the line is dead",
  );
  await expect(stepped(async () => 0)).rejects.toThrow("step() returned the number 0");
  await expect(stepped(async () => ({ observation: [Number.NaN] }))).rejects.toThrow("row 0");
});

it("a failure that is not awaited does not crash", async () => {
  const env = vectorise(() => new Letter(1), 1);
  env.reset();
  await new Promise((done) => setTimeout(done, 20));
  await expect(env.pending).rejects.toThrow("row 0: reset timed out");
});

it("synchronous code rejects asynchronous environments", () => {
  expect(() => single(vectorise(() => new Letter(), 1)).reset()).toThrow("Letter-v0 answers asynchronously");
  const env = vectorise(() => new Letter(), 1);
  env.reset();
  expect(() => requireSynchronous(env, "planner")).toThrow("planner does not support");
  expect(() => env.save()).toThrow("cannot be saved");
});

it("a busy thread does not use up the time of an answer", async () => {
  const answer = new Promise<number>((resolve) => setTimeout(() => resolve(1), 30));
  const waiting = withTimeout(answer, 80, () => new Error("late"));
  // Longer than the whole time-out, in which no answer could arrive.
  const until = Date.now() + 100;
  while (Date.now() < until);
  expect(await waiting).toBe(1);
});
