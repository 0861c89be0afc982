import { expect, it } from "vitest";
import { coverageTexts, methodsOf } from "./coverage.ts";
import { mapped } from "./survey.ts";

const covers = { Losses: { PPO: "docs/algorithms/ppo.md d-ppo", "VAPO, VinePPO": "not yet" } };
const survey = { id: "review", paper: "A review", source: "arXiv:2301.00001", about: "It reviews." };

it("lists the methods of a survey with their parts", () => {
  expect(methodsOf(covers)).toEqual([
    { topic: "Losses", method: "PPO", parts: ["docs/algorithms/ppo.md", "d-ppo"] },
    { topic: "Losses", method: "VAPO", parts: [] },
    { topic: "Losses", method: "VinePPO", parts: [] },
  ]);
  expect(coverageTexts(covers)).toEqual([
    "Losses: PPO (docs/algorithms/ppo.md, d-ppo); VAPO (not yet); VinePPO (not yet)",
  ]);
});

it("rejects a survey without methods, and empty parts", () => {
  expect(mapped({ ...survey, covers }).kind).toBe("mapped");
  expect(() => mapped({ ...survey, covers: { Losses: {} } })).toThrow("survey review: it covers no methods");
  expect(() => mapped({ ...survey, covers: { Losses: { PPO: "" } } })).toThrow("PPO has an empty part");
});
