import { expect, it } from "vitest";
import { define } from "./define.ts";
import { setting, size } from "./option.ts";

const method = define({
  name: "method",
  summary: "A method.",
  paper: "Somebody (2020)",
  options: { rate: setting(0.1, "Size of a step."), envs: size(4, "Copies.") },
  start: () => expect.unreachable(),
});

it("makes a variant by naming what is replaced; the rest, the first method included, stays as it was", () => {
  const variant = method.with("variant", { summary: "With more copies.", options: { envs: 16 } });
  expect(variant().options).toEqual({ rate: 0.1, envs: 16 });
  expect(variant({ envs: 2 }).options).toEqual({ rate: 0.1, envs: 2 });
  const { name, summary, paper, options } = variant.definition;
  expect([name, summary, paper, options.rate]).toEqual([
    "variant",
    "With more copies.",
    "Somebody (2020)",
    method.definition.options.rate,
  ]);
  expect(method().options).toEqual({ rate: 0.1, envs: 4 });
  expect(variant.with("second", { summary: "", options: { rate: 1 } })().options).toEqual({
    rate: 1,
    envs: 16,
  });
});

it("a variant of options that there are not is refused", () => {
  const wrong = { summary: "", options: { envz: 3 } as object };
  expect(() => method.with("variant", wrong)).toThrow("there is no option envz. Did you mean envs?");
});

it("a variant starts under its own name, with parts of its own if it has any", () => {
  const seen: string[] = [];
  const base = define({
    name: "base",
    summary: "",
    options: {},
    start(_o, _context, name) {
      seen.push(name);
      return { step: () => ({}), steps: 0, parts: {} };
    },
  });
  const spec = { action: { kind: "discrete" } };
  const context = { spec, place: { spec } } as never;
  base.with("other", { summary: "" })().start(context);
  base().start(context);
  expect(seen).toEqual(["other", "base"]);
  const start = () => ({ step: () => ({}), steps: 7, parts: {} });
  expect(base.with("third", { summary: "", start })().start(context).steps).toBe(7);
});
