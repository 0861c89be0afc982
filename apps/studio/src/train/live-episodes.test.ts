import { ppo, train } from "reins";
import { placeOf } from "reins/core/evaluations";
import { expect, it, onTestFinished, vi } from "vitest";
import { LiveEpisodes } from "./live-episodes.ts";

it("starts a new episode when the agent has improved, after a minimum time", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const algorithm = ppo({ envs: 1, steps: 8, minibatches: 1, hidden: [4] });
  const { run } = await train({ algorithm, env: "Pendulum-v1", steps: 8, evalEpisodes: 0 });
  let score = 0;
  const episodes = new LiveEpisodes(run.process.acting!, placeOf(run).make(1), {
    pace: 10,
    seed: 1,
    score: () => score,
  });
  const watch = (seconds: number) => {
    vi.advanceTimersByTime(1000 * seconds);
    return episodes.since();
  };
  expect(watch(1).map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  score = 100;
  expect(watch(1).at(-1)).toMatchObject({ episode: 0, step: 19, before: [] });
  expect(watch(1).at(-1)).toMatchObject({ episode: 0, step: 29 });
  expect(watch(1)[0]).toMatchObject({ episode: 1, step: 0, before: [{ steps: 30 }] });
  // Without an improvement the episode is played to its end.
  for (let i = 0; i < 19; i++) expect(watch(1).at(-1)).toMatchObject({ episode: 1 });
  expect(watch(1).at(-1)).toMatchObject({ episode: 2, before: [{ steps: 30 }, { steps: 200 }] });
});
