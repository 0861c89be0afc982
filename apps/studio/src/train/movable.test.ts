import { grpo, ppo, train } from "reins";
import { expect, it } from "vitest";
import { hasEffect } from "../parts/has-effect.ts";
import { movable } from "./movable.ts";

it("offers settings that have an effect, with their descriptions", async () => {
  const env = "CartPole-v1";
  const shown = async (options: object) => {
    const { run } = await train({ algorithm: ppo(options), env, steps: 64, evalEpisodes: 0 });
    return movable(run);
  };
  const small = { envs: 2, steps: 16, hidden: [4] };
  const plain = await shown(small);
  const names = Object.keys(plain.settings);
  expect(names).toContain("learningRate");
  expect(names).toContain("entropyWeight");
  for (const idle of ["klWeight", "maxKl", "popArtRate", "imitationWeight", "imitationValueWeight"])
    expect(names).not.toContain(idle);
  expect(plain.meanings.learningRate).toContain("Higher learns faster");
  const full = await shown({ ...small, popArt: true, klWeight: 0.1 });
  expect(Object.keys(full.settings)).toEqual(expect.arrayContaining(["popArtRate", "klWeight"]));
  const falling = await shown({ ...small, learningRate: { signal: "linear", from: 1e-3, to: 0 } });
  expect(falling.meanings.learningRate).toContain("It follows a schedule until you change it.");
});

it("leaves out settings without effect at one update a batch", () => {
  const { options } = grpo({ epochs: 1 });
  const moving = Object.keys(options).filter((name) => hasEffect(name, options));
  for (const idle of ["clip", "clipHigh", "bandWeight", "bandCentre", "bandWidth", "turnDiscount", "hint"])
    expect(moving).not.toContain(idle);
  for (const felt of ["learningRate", "entropyWeight", "clipNorm"]) expect(moving).toContain(felt);
  expect(hasEffect("clip", grpo({ epochs: 4 }).options)).toBe(true);
});
