import { Run } from "@reins/core";
import { setBackend, tensor, valueAndGradient } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dqn, dqnParts } from "../dqn.ts";
import { endless, fingerprint } from "../testing-envs.ts";
import { mappedForm, tensorMappings } from "./mapped-form.ts";

setBackend("wasm");

const { linear, log } = tensorMappings;
const at = (predicted: number[], next: number[], reward: number, regularRate = 1) => {
  const form = mappedForm({ gains: log(0.01), losses: linear(), regularRate, most: 10 });
  const { loss, error } = form.compare(tensor([predicted]), {
    next: tensor([next]),
    reward: tensor([reward]),
    discount: tensor([0.9]),
  });
  return { loss: loss.item(), error: error.item(), value: form.mean(tensor([predicted])).item() };
};

describe("mappedForm", () => {
  it("has zero loss where both channels equal their targets", () => {
    const { to } = log(0.01);
    const mapped = (x: number) => to(tensor([x])).item();
    const right = at([mapped(2 + 0.9 * 1), 0.9 * 0.5], [mapped(1), 0.5], 2);
    expect(right.loss).toBeCloseTo(0, 5);
    expect(right.value).toBeCloseTo(2.9 - 0.45, 3);
  });

  it("splits a reward by its sign", () => {
    expect(at([0, 0], [0, 0], -0.4).loss).toBeCloseTo(0.5 * 0.4 ** 2, 5);
    const gained = 0.5 * Math.log(1 / 0.01 + 1);
    expect(at([0, 0], [0, 0], 1).loss).toBeCloseTo(gained - 0.5, 4);
  });

  it("moves part of the way in value space, before the mapping", () => {
    expect(at([0, 0], [0, 0], 1, 0.1).loss).toBeCloseTo(0.5 * Math.log(0.1 / 0.01 + 1) - 0.5, 4);
    expect(at([0, 0], [0, 0], 1, 0.1).error).toBeCloseTo(1, 5);
  });

  it("moves only the predicted action", () => {
    const form = mappedForm({ gains: linear(), losses: linear(), regularRate: 0.5, most: 10 });
    const { gradient } = valueAndGradient((p: ReturnType<typeof tensor>) =>
      form.compare(p, { next: tensor([[0, 0]]), reward: tensor([1]), discount: tensor([0.9]) }).loss.sum(),
    )(tensor([[0.2, 0]]));
    // Half of the way from 0.2 to 1: the target does not follow the prediction.
    expect(Array.from((gradient as ReturnType<typeof tensor>).data)[0]).toBeCloseTo(-0.4, 5);
  });
});

it("DQN with mapped values trains differently, and resumes exactly", () => {
  const form = mappedForm({ gains: log(0.01), losses: linear(), regularRate: 0.5, most: 10 });
  const mapped = dqn.with("mapped", {
    parts: (_, o, context) => dqnParts(o, context, "mapped", { form }),
  });
  const options = { hidden: [16], batch: 16, learningStarts: 50, trainEvery: 4, capacity: 500 };
  const begun = (algorithm: typeof dqn) =>
    new Run({ algorithm: algorithm(options), env: endless("discrete"), steps: 800, seed: 1 });
  const [run, plain] = [begun(mapped), begun(dqn)];
  run.advance(400);
  const copy = run.fork();
  for (const one of [run, copy, plain]) one.advance();
  expect(fingerprint(copy)).toEqual(fingerprint(run));
  expect(fingerprint(plain)).not.toEqual(fingerprint(run));
});
