import { expect, test } from "vitest";
import { describeResult } from "../report.ts";
import { readLanguageOptions } from "./options.ts";

test("measures everything by default, with one and two threads", () => {
  expect(readLanguageOptions([])).toEqual({
    only: ["train-0.8m", "train-10m", "generate-0.8m", "generate-10m", "grpo-10m", "grpo-share"],
    backends: ["native", "wasm"],
    threads: [1, 2],
    rounds: 5,
    seconds: 1,
    json: false,
  });
});

test("parses options, and refuses unknown ones", () => {
  expect(
    readLanguageOptions(["--only=grpo-share", "--backend", "wasm", "--threads", "2,2", "--quick", "--json"]),
  ).toEqual({
    only: ["grpo-share"],
    backends: ["wasm"],
    threads: [2],
    rounds: 2,
    seconds: 0.1,
    json: true,
  });
  expect(() => readLanguageOptions(["--only", "train"])).toThrow(
    "--only train is unknown. Use train-0.8m, train-10m, generate-0.8m, generate-10m, grpo-10m, grpo-share.",
  );
  expect(() => readLanguageOptions(["--backend", "reference"])).toThrow("Use native, wasm.");
  expect(() => readLanguageOptions(["--threads"])).toThrow("--threads needs a value");
  expect(() => readLanguageOptions(["--small"])).toThrow("Unknown option --small");
});

test("a row names the parts of our time under it", () => {
  const row = describeResult({
    name: "grpo-share",
    backend: "native",
    threads: 1,
    unit: "tokens/s",
    ours: 5000,
    peer: null,
    peerName: null,
    ratio: null,
    spread: { ours: [4000, 6000], peer: null },
    floor: null,
    met: null,
    parts: { generation: { value: 20, spread: [19, 21] }, learning: { value: 80, spread: [79, 81] } },
  });
  expect(row.split("\n")[1]).toBe("    generation 20.0 (19.0–21.0) %, learning 80.0 (79.0–81.0) %");
});
