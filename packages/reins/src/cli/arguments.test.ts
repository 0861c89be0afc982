import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { camel, kebab, number, text, toggle, whole } from "./flags.ts";
import { parseNumber, readWhole } from "./numbers.ts";

const table = {
  steps: whole("N", "how many", 1),
  rate: number("N", "how fast"),
  name: text("NAME", "what"),
  save: toggle("whether"),
};
const read = (...args: string[]) => readArguments(args, table, { command: "train", open: "env-" });

describe("arguments", () => {
  it("reads words and flags in any order", () => {
    const { words, flags } = read("ppo", "--steps", "100k", "CartPole-v1", "--rate=-0.5", "--name", "x");
    expect(words).toEqual(["ppo", "CartPole-v1"]);
    expect(flags).toEqual({ steps: 100_000, rate: -0.5, name: "x" });
  });

  it("reads switches and their opposites", () => {
    expect(read("--save").flags).toEqual({ save: true });
    expect(read("--no-save").flags).toEqual({ save: false });
    expect(read("--save=false").flags).toEqual({ save: false });
    expect(read("--save", "false", "ppo")).toMatchObject({ words: ["ppo"], flags: { save: false } });
    expect(read("--save", "ppo")).toMatchObject({ words: ["ppo"], flags: { save: true } });
  });

  it("reads undeclared flags with a prefix", () => {
    expect(read("--env-max-steps", "200", "--env-windy", "--env-size=4").open).toEqual({
      "max-steps": "200",
      windy: "true",
      size: "4",
    });
  });

  it("treats everything after -- as words", () => {
    expect(read("a", "--", "--steps").words).toEqual(["a", "--steps"]);
  });

  it.each([
    [["--stesp", "1"], "unknown flag --stesp. Did you mean --steps? Run reins train --help"],
    [["-s", "1"], "unknown flag -s."],
    [["--no-saev"], "Did you mean --no-save"],
    [["--steps"], "--steps needs a value: --steps N."],
    [["--steps", "--save"], "--steps needs a value"],
    [["--steps", "many"], '--steps takes a whole number of at least 1, not "many". Example: --steps 10.'],
    [["--steps", "0"], "--steps takes a whole number of at least 1"],
    [["--rate", "fast"], '--rate takes a number, not "fast"'],
    [["--save=perhaps"], '--save is a switch and does not accept "perhaps"'],
  ])("rejects %j", (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });

  it("reads whole numbers with units and separators", () => {
    expect(["500", "1e5", "100_000", "2M", "1.5k"].map((t) => readWhole(t, "--n"))).toEqual([
      500, 1e5, 1e5, 2e6, 1500,
    ]);
    for (const wrong of ["1.5", "-1", "", "1e-3", "k"]) expect(() => readWhole(wrong, "--n")).toThrow();
  });

  it("reads numbers alike in flags and settings", () => {
    const typed = ["400k", "-0.5", "+3", ".5", "1_000.5", "1.005k", "2e-3", "1e3k", "Infinity", "-infinity"];
    const read = [4e5, -0.5, 3, 0.5, 1000.5, 1005, 2e-3, 1e6, Infinity, -Infinity];
    expect(typed.map(parseNumber)).toEqual(read);
    for (const wrong of ["", "k", "4 k", "1e", "0x10", "many", "4m", "1,5"])
      expect(parseNumber(wrong)).toBeUndefined();
  });

  it("converts option names to flags and back", () => {
    expect(kebab("learningRate")).toBe("learning-rate");
    expect(camel("learning-rate")).toBe("learningRate");
  });
});
