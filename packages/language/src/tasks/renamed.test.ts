import { expect, it } from "vitest";
import { options } from "../rollouts/testing.ts";
import { textStage } from "../stage/stage.ts";
import { family } from "./renamed.ts";

it("names in programs for version 0.1 give an error with the new name", () => {
  const { task, ...rest } = options();
  expect(() => family(task as never)).toThrow("family: it has been renamed. Use textTask({ … }).");
  const before = { ...rest, family: task } as object;
  expect(() => textStage(before as typeof rest & { task: typeof task })).toThrow(
    "textStage: the option family has been renamed. Use task.",
  );
  expect(() => textStage(rest as typeof rest & { task: typeof task })).toThrow(
    "textStage: there is no task.",
  );
});
