import { describe, expect, it } from "vitest";
import { defaults, help, readOptions } from "./options.ts";

describe("options of npm start", () => {
  it("has defaults", () => {
    expect(readOptions([])).toEqual(defaults);
  });

  it("reads values after a space or an equals sign", () => {
    expect(
      readOptions(["--steps", "50", "--seed=7", "--hidden", "8,4", "--backend=wasm", "--fast", "--no-color"]),
    ).toEqual({
      steps: 50,
      seed: 7,
      hidden: [8, 4],
      backend: "wasm",
      fast: true,
      color: false,
      help: false,
    });
  });

  it.each([
    [
      ["--steps", "ten"],
      '--steps takes whole numbers from 1 to 10000000, but got "ten". Type npm start -- --steps 4000.',
    ],
    [["--steps", "0"], "--steps takes whole numbers from 1"],
    [["--seed", "-1"], "--seed takes whole numbers from 0"],
    [["--seed"], "--seed needs a value: npm start -- --seed 7."],
    [["--hidden", "8,,8"], "--hidden takes whole numbers"],
    [
      ["--backend", "gpu"],
      "--backend gpu does not exist. Type npm start -- --backend wasm; there are native, wasm, reference.",
    ],
    [
      ["--step", "5"],
      "There is no option --step. Did you mean --steps? Type npm start -- --help for a list.",
    ],
    [["--verbose"], "There is no option --verbose. Type npm start -- --help for a list."],
    [["7"], '"7" is no option. Options stand behind a double dash: npm start -- --seed 7.'],
  ])("%j says what to type", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  it("explains every option", () => {
    for (const name of ["--steps", "--seed", "--hidden", "--backend", "--fast", "--no-color", "--help"])
      expect(help).toContain(name);
    expect(readOptions(["--help"]).help).toBe(true);
  });
});
