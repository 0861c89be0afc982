import { expect, it } from "vitest";
import { define } from "./define.ts";
import { setting, size } from "./option.ts";

const method = define({
  name: "method",
  summary: "A method.",
  paper: "Doe (2020)",
  options: { rate: setting(0.1, "Size of a step."), envs: size(4, "Copies.") },
  start: () => expect.unreachable(),
});

it("makes a variant from its replacements; the rest and the base method stay unchanged", () => {
  const variant = method.with("variant", { summary: "With more copies.", options: { envs: 16 } });
  expect(variant().options).toEqual({ rate: 0.1, envs: 16 });
  expect(variant({ envs: 2 }).options).toEqual({ rate: 0.1, envs: 2 });
  const { name, summary, paper, options } = variant.definition;
  expect([name, summary, paper, options.rate]).toEqual([
    "variant",
    "With more copies.",
    "Doe (2020)",
    method.definition.options.rate,
  ]);
  expect(method().options).toEqual({ rate: 0.1, envs: 4 });
  expect(variant.with("second", { summary: "", options: { rate: 1 } })().options).toEqual({
    rate: 1,
    envs: 16,
  });
});

it("a variant with unknown options is rejected", () => {
  const wrong = { summary: "", options: { envz: 3 } as object };
  expect(() => method.with("variant", wrong)).toThrow("there is no option envz. Did you mean envs?");
});

it("a variant starts under its own name, with its own parts if it has any", () => {
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

/** A method that reports its parts. */
const assembled = define({
  name: "assembled",
  summary: "",
  options: { rate: setting(0.1, "Size of a step.") },
  parts: (o, _context, name) => ({ name, loss: "own", rate: o.rate.value, target: (x: number) => x }),
  begin: (parts) => ({ step: () => ({}), steps: 0, parts: {}, inspect: () => parts as object }),
});
const place = { spec: { action: { kind: "discrete" } } };
const madeOf = (maker: typeof assembled, options = {}) =>
  maker(options).start({ ...place, place } as never).inspect!();

it("a variant replaces parts, by value or as a function of the others, and starts like its method", () => {
  expect(madeOf(assembled)).toMatchObject({ name: "assembled", loss: "own", rate: 0.1 });
  const target = (x: number) => 2 * x;
  const one = assembled.with("one", { loss: "other", target });
  expect(madeOf(one)).toEqual({ name: "one", loss: "other", rate: 0.1, target });
  const two = one.with("two", { parts: (given, o) => ({ loss: `${given.loss}, ${o.rate.value}` }) });
  expect(madeOf(two, { rate: 3 })).toEqual({ name: "two", loss: "other, 3", rate: 3, target });
  expect(madeOf(one)).toMatchObject({ loss: "other" });
  expect(two.definition.summary).toBe("As one, with its own parts.");
});

it("a variant may start differently with the same parts", () => {
  const begin = () => ({ step: () => ({}), steps: 9, parts: {} });
  const other = assembled.with("other", { begin });
  expect(other().start({ ...place, place } as never).steps).toBe(9);
});

it("a definition that is spread starts with the parts that it has then", () => {
  const { parts, ...rest } = assembled.definition;
  const own: typeof parts = (o, context, name) => ({ ...parts!(o, context, name), loss: "spread" });
  expect(madeOf(define({ ...rest, parts: own }))).toMatchObject({ loss: "spread" });
});

it("parts are rejected if a method has none, or starts without them", () => {
  expect(() => method.with("variant", { loss: 1 } as object)).toThrow(
    "variant: method does not expose its parts, so loss cannot be replaced. Give the variant its own start.",
  );
  const start = () => ({ step: () => ({}), steps: 7, parts: {} });
  const own = define({ ...assembled.definition, name: "own", start });
  expect(() => own.with("variant", { loss: "lost" })).toThrow("own does not expose its parts, so loss");
});

it("parts that are not a function are rejected", () => {
  expect(() => assembled.with("variant", { parts: { loss: "own" } } as object)).toThrow(
    /^variant: parts is .*; it must be a function of the method's parts: parts: \(parts, options, context\) => /,
  );
});

it("if episodes use other parts, a variant of the parts learns from steps only", () => {
  const episodes = () => ({ step: () => ({}), steps: 5, parts: {} });
  const both = define({ ...assembled.definition, learnsFrom: "both" as const, episodes });
  expect(both.with("same", {}).definition).toMatchObject({ learnsFrom: "both", episodes });
  expect(both.with("steps", { loss: "other" }).definition).toMatchObject({
    learnsFrom: "steps",
    episodes: undefined,
  });
  expect(both.with("told", { loss: "other", learnsFrom: "both" }).definition.episodes).toBe(episodes);
});
