import { expect, it } from "vitest";
import { counsel } from "../conversations/counsel.ts";
import { streams } from "../conversations/streams.ts";
import { untrainedArm } from "./untrained-arm.ts";

const never = () => Promise.reject(new Error("a program needs no model"));
const trial = { seed: 1, replicate: "", settings: {}, budget: 0, quick: false, warm: never };
const model = { layers: 1, width: 8, heads: 2, imitation: 64 };

it("evaluates scripted players on held-out problems, without a model", async () => {
  const task = counsel({ id: "still" });
  const values = async (player: string) =>
    (
      await untrainedArm({ name: player, player, task, levels: [2], model, score: { problems: 40 } }).run(
        trial,
      )
    ).values;
  // Each question is answered at the expert's cost.
  expect((await values("always"))["term/worth"]).toBeCloseTo(0.7);
  expect(await values("always")).toMatchObject({ tokens: 8, "term/advice/2": 1 });
  const never = await values("never");
  expect(never["term/advice"]).toBe(0);
  const best = await values("best");
  expect(best["term/accuracy"]).toBe(1);
  expect(best["term/worth"]).toBeGreaterThan(0.85);
});

it("evaluates levels that are not trained on", async () => {
  const task = streams({ id: "still", lengths: [4, 12] });
  const score = { levels: [2, 3], problems: 40 };
  const { values } = await untrainedArm({
    name: "append",
    player: "append",
    task,
    levels: [1],
    model,
    score,
  }).run(trial);
  expect(values["tokens/3"]).toBe(24);
  expect(values["term/worth/2"]).toBeGreaterThan(values["term/worth/3"]);
  expect(values["term/worth"]).toBeCloseTo((values["term/worth/2"] + values["term/worth/3"]) / 2);
});
