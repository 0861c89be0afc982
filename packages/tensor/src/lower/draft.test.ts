import { describe, expect, it } from "vitest";
import { processor } from "../kernel/cost.ts";
import { Draft } from "./draft.ts";

describe("a program under construction", () => {
  const input = { buffer: 1, offset: 0 };
  const output = { buffer: 2, offset: 0 };
  const draft = () =>
    new Draft(
      { precision: "f32", schedule: "rows", cost: { ...processor, sumsTogether: 2 } },
      [input],
      [output],
      [],
    );

  it("reads given buffers and written blocks", () => {
    const d = draft();
    const held = d.temporary(64);
    d.copy(input, held, 64);
    d.copy(held, output, 64);
    d.copy(output, d.temporary(64), 64);
    expect(d.finish(1).steps).toHaveLength(3);
  });

  it("refuses to read unwritten memory", () => {
    expect(() => draft().copy(draft().temporary(64), output, 64)).toThrow(
      /reads memory that no step has written/,
    );
    expect(() => draft().copy(output, input, 64)).toThrow(/reads memory that no step has written/);
    const d = draft();
    const late = d.temporary(64);
    d.loop(3, 3, () => {
      expect(() => d.copy(late, output, 64)).toThrow(/reads memory that no step has written/);
      d.copy(input, late, 64);
      d.copy(late, output, 64);
    });
  });
});
