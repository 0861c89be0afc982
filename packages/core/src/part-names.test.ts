import { expect, it } from "vitest";
import { episodic } from "./loop/episodic.ts";
import { offPolicy } from "./loop/off-policy.ts";
import { onPolicy } from "./loop/on-policy.ts";
import { checkPartNames } from "./part-names.ts";

const check = (parts: object, loop: object, method: object = {}, options: object = {}) =>
  checkPartNames("mine", parts, { method, options, loop });

it("refuses a replaced part that its loop would ignore, with the closest name", () => {
  expect(() => check({ clipnorm: 1 }, onPolicy)).toThrow(
    "mine: unknown part clipnorm. Did you mean clipNorm?",
  );
  for (const loop of [onPolicy, episodic]) expect(() => check({ loss: 1 }, loop)).not.toThrow();
  // The loss of DQN is an option, which its parts contain, too.
  const options = { loss: "huber" };
  const message = "mine: unknown part loss. Parts: name, policy, learner, ";
  expect(() => check({ loss: 1 }, offPolicy, options, options)).toThrow(message);
  expect(() => check({ loss: "huber" }, offPolicy, options, options)).not.toThrow();
});

it("accepts parts that a method has besides those of its loop, and any part with an own loop", () => {
  expect(() => check({ own: 1 }, offPolicy, { own: 0 })).not.toThrow();
  expect(() => check({ own: 1 }, () => ({}))).not.toThrow();
});
