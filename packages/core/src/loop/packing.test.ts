import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { pack } from "../batch.ts";
import { type Episode, makers } from "../episode.ts";
import { inRows } from "./episode-columns.ts";

/** An episode of a teacher whose observations are numbered. */
function episode(length: number, start: number): Episode {
  const steps = Int32Array.from({ length }, (_, t) => start + t);
  return {
    columns: {
      observation: tensor(steps, { dtype: "i32" }),
      action: tensor(steps.slice(), { dtype: "i32" }),
      by: tensor(new Uint8Array(length).fill(makers.indexOf("teacher")), { dtype: "u8" }),
      version: tensor(new Int32Array(length), { dtype: "i32" }),
    },
    segments: [{ from: 0, to: length }],
    terminated: true,
    truncated: false,
    return: [],
  };
}

/** The rows as lists of observations, with a bar before each that begins an episode. */
function rowsOf(lengths: readonly number[], packing: number) {
  const episodes = lengths.map((length, i) => episode(length, 100 * (i + 1)));
  const { columns } = inRows(pack(episodes), {}, { from: "teacher", episodes, packing });
  const { observation, alive, first } = columns as Record<string, ReturnType<typeof tensor>>;
  const [time, rows] = observation.shape;
  const texts = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: time }, (_, t) => t * rows + row)
      .filter((at) => alive.data[at])
      .map((at) => `${first.data[at] ? "|" : ""}${observation.data[at]}`)
      .join(" "),
  );
  return { time, rows, texts };
}

it("puts short episodes into the room that long ones leave", () => {
  const { time, rows, texts } = rowsOf([3, 9, 2, 12], 14);
  expect([time, rows]).toEqual([16, 2]);
  expect(texts).toEqual([
    "|400 401 402 403 404 405 406 407 408 409 410 411 |300 301",
    "|200 201 202 203 204 205 206 207 208 |100 101 102",
  ]);
});

it("gives each episode its row without packing, and where none fits beside another", () => {
  const alone = ["|100 101 102", "|200 201 202 203 204 205 206 207 208"];
  expect(rowsOf([3, 9], 0).texts).toEqual(alone);
  expect(rowsOf([3, 9], 10).texts).toEqual([alone[1], alone[0]]);
  // An episode that is longer than a row has one of its own.
  expect(rowsOf([20, 3], 10)).toMatchObject({ time: 32, rows: 2 });
});
