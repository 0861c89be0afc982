import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { measure } from "../book/protocol.ts";
import { runTrial } from "../book/trial.ts";
import { type Case, type Contract, withValues } from "./testing.ts";
import { archgym } from "./testing-archgym.ts";
import { areal } from "./testing-areal.ts";
import { egpo } from "./testing-egpo.ts";
import { eiie } from "./testing-eiie.ts";
import { fisor } from "./testing-fisor.ts";
import { antiJamming } from "./testing-jamming.ts";
import { jumping } from "./testing-jumping.ts";
import { memoryRewriting } from "./testing-memory.ts";
import { policyCliff } from "./testing-policy-cliff.ts";
import { serl } from "./testing-serl.ts";
import { sqirl } from "./testing-sqirl.ts";
import { uiR1 } from "./testing-ui-r1.ts";

// Claims of papers, expressed by the contract; values are invented, and verdicts follow from them.
const contracts: readonly Contract[] = [
  ...[fisor, areal, uiR1, sqirl, archgym, memoryRewriting],
  ...[egpo, eiie, policyCliff, serl, jumping, antiJamming],
];
const cases = contracts.flatMap((contract) =>
  contract.cases.map((made, i): [string, Contract, Case] => [
    `${withValues(contract, made).id}${i === 0 ? "" : ", other values"}`,
    contract,
    made,
  ]),
);

describe("contracts of planned systems", () => {
  it.each(cases)("%s", async (_, contract, made) => {
    const recipe = withValues(contract, made);
    const cache = tmpdir();
    const { judged } = await measure(recipe, (jobs) =>
      Promise.all(jobs.map((job) => runTrial(recipe, job, cache))),
    );
    expect(judged.map((j) => j.verdict)).toEqual(made.implies);
  });
});
