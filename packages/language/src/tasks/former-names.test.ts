import { expect, it } from "vitest";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { echo, options } from "../rollouts/testing.ts";
import { textStage } from "../stage/stage.ts";
import { family } from "./former-names.ts";

it("names in programs for version 0.1 give an error with the new name", () => {
  const { task, ...rest } = options();
  const stage = (given: object) => () => textStage(given as TextStageOptions);
  expect(() => family(task as never)).toThrow("family: it has been renamed. Use textTask({ … }).");
  expect(stage({ ...rest, family: task })).toThrow(
    "textStage: the option family has been renamed. Use task.",
  );
  expect(stage({ ...rest, task, speaking: {} })).toThrow("speaking has been renamed. Use chatFormat.");
  expect(stage(rest)).toThrow("textStage: there is no task.");
  const longest = { ...echo.longest, talk: 9 };
  expect(stage({ ...rest, task: { ...echo, longest } })).toThrow("Use longest.conversation.");
  const make: typeof echo.make = (...given) => Object.assign(echo.make(...given), { picture: {} });
  expect(stage({ ...rest, task: { ...echo, make } })).toThrow(
    "task echo: the field picture of a problem has been renamed. Use image.",
  );
  expect(stage({ ...rest, task })).not.toThrow();
});
