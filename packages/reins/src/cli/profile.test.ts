import type { Profile } from "@reins/tensor";
import { expect, it } from "vitest";
import { profileLines } from "./profile.ts";

const empty: Profile = {
  milliseconds: 2000,
  entries: [],
  events: [],
  memory: { heap: { used: 2e6, peak: 3.5e6 }, devices: [] },
};

it("divides the time into compiled functions, compilation and the rest", () => {
  const lines = profileLines({
    ...empty,
    entries: [
      { kind: "function", name: "ppo: update", count: 400, milliseconds: 1200, bytes: 0 },
      { kind: "compile", name: "ppo: update", count: 1, milliseconds: 300, bytes: 0 },
    ],
  });
  expect(lines).toEqual([
    "Profile of 2.0 s: 60.0% compiled functions, 15.0% compilation, 25.0% other JavaScript.",
    "",
    "share    total  calls     each  function",
    "60.0%  1.200 s    400  3.00 ms  ppo: update",
    "",
    "share   total  calls    each  compilation",
    "15.0%  300 ms      1  300 ms  ppo: update",
    "",
    "Tensor heap: 2MB, at most 3.5MB.",
  ]);
});

it("shows kernels, copies and memory of a GPU, and counts what it leaves out", () => {
  const kernels = Array.from({ length: 14 }, (_, i) => ({
    kind: "kernel" as const,
    name: `kernel ${i}`,
    count: 10,
    milliseconds: 100 - i,
    bytes: 0,
  }));
  const copy = { kind: "copy" as const, name: "to the GPU", count: 2, milliseconds: 0.5, bytes: 4e6 };
  const device = { name: "NVIDIA H200", used: 1e9, kept: 2e8, free: 1.4e11, total: 1.5e11 };
  const memory = { heap: { used: 0, peak: 0 }, devices: [device] };
  const text = profileLines({ ...empty, entries: [...kernels, copy], memory }).join("\n");
  expect(text).toContain("The GPU was busy for 65.5%");
  expect(text).toContain("and 2 more");
  expect(text).toContain("250 µs  to the GPU, 4MB");
  expect(text).toContain("NVIDIA H200: 1GB in use, 200MB kept for later, 140GB of 150GB free.");
});
