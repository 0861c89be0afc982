import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LossTerm } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dpoLoss } from "./dpo.ts";
import { ktoTerm } from "./kto.ts";
import { lipoTerm } from "./lipo.ts";
import { completionTerm } from "./online/completion-term.ts";
import { egpoLoss } from "./online/egpo.ts";
import { inpoLoss } from "./online/inpo.ts";
import { nashMdLoss } from "./online/nash-md.ts";
import { onlineSppoLoss } from "./online/online-sppo.ts";
import { xpoLoss } from "./online/xpo.ts";
import { pairTerm } from "./pairs.ts";
import { rrhfTerm } from "./rrhf.ts";
import { differingStep } from "./step-dpo.ts";
import { evaluated, inOrder } from "./testing-fixture.ts";

setBackend("wasm");

const path = (of: string) => fileURLToPath(new URL(of, import.meta.url));
const program = path("./testing-torch.py");
const inputs = path("../../../../fixtures/rl/preferences.json");

/** The numbers that `testing-torch.py` prints. */
type Printed = { readonly [loss: string]: { readonly value: number; readonly gradient: readonly number[] } };
const recorded = JSON.parse(readFileSync(path("../../fixtures/preferences-torch.json"), "utf8")) as Printed;

const scores = [3, 1, 2, 0, 0, 2, 2, 1];
const lists = {
  order: inOrder,
  columns: { score: (row: number) => scores[row], group: (row: number) => Number(row > 3) },
};
/** Of each completion, tokens 1 and 2. */
const counted = (_: number, token: number) => Number(token === 1 || token === 2);
const marked = (row: number) => Number(row % 4 === 0 || row % 4 === 3);
const sampled = (row: number, token: number) => -0.1 * (1 + ((3 * row + token) % 5));
const wins = [0.9, 0.5, 0.25, 0.7, 0.1, 0.5, 0.75, 0.3];
const compared = { order: inOrder, columns: { wins: (row: number) => wins[row], logProb: sampled } };
const losses: { readonly [name: string]: readonly [LossTerm, Parameters<typeof evaluated>[1]] } = {
  kto: [ktoTerm(0.3, { desirable: 1, undesirable: 1.5 }), { columns: { label: marked } }],
  rrhf: [rrhfTerm(1), lists],
  lipo: [lipoTerm(0.3), lists],
  steps: [pairTerm(dpoLoss(0.3)), { columns: { counted } }],
  // Of pairs 0 and 3 the chosen completion is the reference's, of the others the rejected one.
  xpo: [
    pairTerm(xpoLoss(0.3, 0.05)),
    { columns: { explored: (row) => (row < 4 ? marked(row) : 1 - marked(row)) } },
  ],
  inpo: [pairTerm(inpoLoss({ step: 0.5, anchor: 0.1 })), { columns: { logProb: sampled } }],
  nash_md: [completionTerm(nashMdLoss(0.2), false), compared],
  egpo: [pairTerm(egpoLoss(0.4)), { columns: compared.columns }],
  online_sppo: [completionTerm(onlineSppoLoss(3), true), compared],
};

describe("losses of a PyTorch program, with their gradients", () => {
  it.each(Object.entries(losses))("%s", (name, [term, how]) => {
    const { value, gradient } = evaluated(term, how);
    const expected = recorded[name];
    expect(value).toBeCloseTo(expected.value, 5);
    gradient.forEach((g, i) => expect(g, `token ${i}`).toBeCloseTo(expected.gradient[i], 5));
    const padded = evaluated(term, { ...how, padded: 8 });
    expect(padded.value).toBeCloseTo(value, 5);
    padded.gradient.forEach((g, i) => expect(g).toBeCloseTo(gradient[i], 5));
  });

  const python = process.env.REINS_PYTHON || "python3";
  const hasTorch = spawnSync(python, ["-c", "import torch"]).status === 0;
  it.skipIf(!hasTorch)("are the recorded numbers", { timeout: 120_000 }, () => {
    const { stdout, stderr } = spawnSync(python, [program, inputs], { encoding: "utf8" });
    expect(stderr).toBe("");
    const printed = JSON.parse(stdout) as Printed;
    expect(Object.keys(printed)).toEqual(Object.keys(recorded));
    for (const [name, { value, gradient }] of Object.entries(printed)) {
      expect(value).toBeCloseTo(recorded[name].value, 9);
      gradient.forEach((g, i) => expect(g).toBeCloseTo(recorded[name].gradient[i], 9));
    }
  });
});

describe("the step that differs", () => {
  const [end, a, b, c] = [9, 1, 2, 3];
  const stepOf = (own: number[], other: number[]) => differingStep(own, other, (t) => t === end);

  it("follows the common steps, and ends with its line", () => {
    expect(stepOf([a, end, b, c, end, a], [a, end, b, b, end, c])).toEqual({ from: 2, to: 5 });
    expect(stepOf([a, b], [c, b])).toEqual({ from: 0, to: 2 });
  });

  it("is the rest where one completion goes on", () => {
    expect(stepOf([a, end, b], [a, end])).toEqual({ from: 2, to: 3 });
    expect(stepOf([a, end], [a, end, b])).toEqual({ from: 2, to: 2 });
  });

  it("is empty for equal completions", () => {
    expect(stepOf([a, b], [a, b])).toEqual({ from: 2, to: 2 });
  });
});
