import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { box, discrete, tuple } from "../space.ts";
import { mergeSnapshots, splitSnapshot } from "./copy-snapshots.ts";
import { vectorise } from "./vectorise.ts";

/** Counts its steps, and shows them in two parts. */
const counter = () => {
  const state = { steps: 0 };
  const look = () => [[state.steps, -state.steps], state.steps % 3];
  return {
    spec: { id: "Counter-v0", observation: tuple(box([2]), discrete(3)), action: discrete(5) },
    reset: () => ({ observation: look() }),
    step(action: unknown) {
      state.steps += action as number;
      return { observation: look(), reward: state.steps, terminated: false, truncated: false };
    },
    mask: () => [1, 1, 1, 1, state.steps % 2],
    save: () => ({ ...state }),
    restore: (from: unknown) => Object.assign(state, from),
  };
};

it("a snapshot of copies is redistributed, row by row", () => {
  const whole = vectorise(counter, 5);
  whole.reset();
  whole.step(tensor(Int32Array.of(0, 1, 2, 3, 4)));
  const parts = splitSnapshot(whole.save(), [2, 3], "Counter-v0");
  const envs = [2, 3].map((rows, i) => {
    const env = vectorise(counter, rows);
    env.restore(parts[i]);
    return env;
  });
  const rewards = () => envs.flatMap((env) => [...env.reward.data]);
  expect(rewards()).toEqual([0, 1, 2, 3, 4]);
  expect(envs.flatMap((env) => [...(env.mask as Tensor).data])).toEqual([...(whole.mask as Tensor).data]);
  whole.step(tensor(Int32Array.of(1, 1, 1, 1, 1)));
  envs.forEach((env, i) => {
    env.step(tensor(new Int32Array([2, 3][i]).fill(1)));
  });
  expect(rewards()).toEqual([...whole.reward.data]);
  const again = vectorise(counter, 5);
  again.restore(mergeSnapshots(envs.map((env) => env.save())));
  const seen = (env: typeof again) => (env.observation as readonly Tensor[]).map(({ data }) => [...data]);
  expect(seen(again)).toEqual(seen(whole));
  expect(() => splitSnapshot(whole.save(), [2, 2], "Counter-v0")).toThrow(
    "Counter-v0: the checkpoint has 5 copies, but there are 4 here",
  );
});
