import { expect, it } from "vitest";
import { taskNamed } from "./task.ts";
import { worldSettings } from "./world-settings.ts";

const stepsOf = async (name: string, level: number, algorithm = "grpo") =>
  (await taskNamed(name, { level }))!.tuned!(algorithm)!.steps;

it("worlds with settings of their own take them at the level where they were found, for the method that they are for", async () => {
  const { grpo } = worldSettings("text-maze", { level: 1 })!;
  const usual = await stepsOf("arithmetic", 1);
  expect(await stepsOf("text-maze", 1)).toBe(grpo.steps);
  expect(grpo.steps).not.toBe(usual);
  expect([await stepsOf("text-maze", 2), await stepsOf("text-maze", 1, "rloo")]).toEqual([usual, usual]);
});

it("are not for models of a folder, nor for other names", () => {
  expect(worldSettings("text-maze", { level: 1, folder: "./model" })).toBeUndefined();
  expect(worldSettings("constructor", { level: 1 })).toBeUndefined();
});
