import { expect, it } from "vitest";
import { checksum } from "./testing-checksum.ts";
import { exponentialZiggurat, normalZiggurat } from "./ziggurat-tables.ts";

// Checksums of the tables in the libnpyrandom.a of NumPy 2.4.6: wi, ki, fi, then we, ke, fe.
it("computes NumPy's tables to the last bit", () => {
  const normal = normalZiggurat();
  expect([normal.width, normal.inside, normal.height].map(checksum)).toEqual([
    2972456344, 2149683021, 4204535297,
  ]);
  const exponential = exponentialZiggurat();
  expect([exponential.width, exponential.inside, exponential.height].map(checksum)).toEqual([
    1582318006, 2745040733, 305392467,
  ]);
});
