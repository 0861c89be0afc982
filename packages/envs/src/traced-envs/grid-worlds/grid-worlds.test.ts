import { defaultRng } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { checkEnv } from "../../check/index.ts";
import type { ViewKind } from "../../grid-worlds/observations.ts";
import { door, goal, key, lava, wall } from "../../grid-worlds/symbols.ts";
import { make } from "../../registry.ts";

const rows = 32;
const ids = ["Empty-5x5", "Empty-Random-6x6", "FourRooms", "DoorKey-5x5", "LavaGapS5"];
/** Larger maps of the same worlds. */
const large = ["Empty-8x8", "DoorKey-8x8", "DoorKey-16x16", "LavaGapS7"];

type Vector = ReturnType<typeof make>;
type Seen = { readonly image: Tensor; readonly direction: Tensor };
/** The columns of the usual form. */
type Columns = Readonly<Record<"cells" | "x" | "y" | "direction" | "steps" | "heldKind", ArrayLike<number>>>;

const stateOf = (env: Vector) => (env.traced!.carry as { state: Record<string, Tensor> }).state;
const columnsOf = (env: Vector) => Reflect.get(env, "state") as Columns;

/** The traced columns of a row, from the map of the usual form. */
function levelOf(id: string, { cells, x, y, direction, steps, heldKind }: Columns, row: number) {
  const side = Math.sqrt(cells.length / rows / 3);
  const at = (column: number, line: number) => cells[3 * (row * side * side + line * side + column)];
  const all = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
  const find = (kind: number) => all.find(([column, line]) => at(column, line) === kind) ?? [-1, -1];
  const agent = { x: x[row], y: y[row], direction: direction[row], steps: steps[row] };
  if (id.includes("FourRooms")) {
    const gap = (cell: (i: number) => number, from: number) =>
      Array.from({ length: 8 }, (_, i) => from + i).find((i) => cell(i) !== wall)!;
    const [goalX, goalY] = find(goal);
    return {
      ...agent,
      up: gap((line) => at(9, line), 1),
      down: gap((line) => at(9, line), 10),
      left: gap((column) => at(column, 9), 1),
      right: gap((column) => at(column, 9), 10),
      goalX,
      goalY,
    };
  }
  if (id.includes("DoorKey")) {
    const [doorX, doorY] = find(door);
    const [keyX, keyY] = find(key);
    const doorStatus = cells[3 * (row * side * side + doorY * side + doorX) + 2];
    return { ...agent, doorX, doorY, doorStatus, keyX, keyY, held: heldKind[row] ? 1 : 0 };
  }
  if (id.includes("LavaGap")) {
    const [lavaX] = find(lava);
    const lines = Array.from({ length: side - 2 }, (_, i) => i + 1);
    return { ...agent, lavaX, gapY: lines.find((line) => at(lavaX, line) !== lava)! };
  }
  return agent;
}

/** Copies the level of one row. */
const copyLevel = (traced: Vector, level: Record<string, number>, row: number) =>
  Object.entries(level).forEach(([name, value]) => (stateOf(traced)[name].data[row] = value));

describe("a grid world in tensor operations", () => {
  describe.each(ids)("%s", (name) => gridWorldTests(`MiniGrid-${name}-v0`));
  describe.each(large)("%s", { tags: ["slow"] }, (name) => gridWorldTests(`MiniGrid-${name}-v0`));
});

function gridWorldTests(id: string): void {
  it.each<ViewKind>(["symbols", "planes", "pixels"])("steps as usual from the same level: %s", (view) => {
    const [traced, usual] = [make(id, { rows, view, traced: true }), make(id, { rows, view })];
    expect(traced.spec).toEqual(usual.spec);
    traced.reset({ seed: 1 });
    usual.reset({ seed: 1 });
    for (let row = 0; row < rows; row++) copyLevel(traced, levelOf(id, columnsOf(usual), row), row);
    const random = defaultRng(1);
    const events = new Set<string>();
    for (let t = 0; t < (view === "symbols" ? 600 : 40); t++) {
      const action = tensor(Int32Array.from({ length: rows }, () => random.integers(0, 7)));
      // Near the goal now and then: random actions seldom get there.
      if (t % 20 === 0)
        for (let row = 0; row < rows; row += 3) {
          const { cells, x, y } = columnsOf(usual);
          const side = Math.sqrt(cells.length / rows / 3);
          if (!/Empty|DoorKey/.test(id)) break;
          Object.assign(x, { [row]: side - 3 });
          Object.assign(y, { [row]: side - 2 });
          const at = 3 * (row * side * side + (side - 2) * side + side - 3);
          if (cells[at] !== 1) {
            Object.assign(x, { [row]: 1 });
            Object.assign(y, { [row]: 1 });
          }
          copyLevel(traced, levelOf(id, columnsOf(usual), row), row);
        }
      const before = Array.from({ length: rows }, (_, row) => levelOf(id, columnsOf(usual), row));
      traced.step(action);
      usual.step(action);
      expect([...traced.reward.data]).toEqual([...usual.reward.data]);
      expect([...traced.terminated.data]).toEqual([...usual.terminated.data]);
      expect([...traced.truncated.data]).toEqual([...usual.truncated.data]);
      for (let row = 0; row < rows; row++) {
        const over = usual.terminated.data[row] === 1 || usual.truncated.data[row] === 1;
        const after = levelOf(id, columnsOf(usual), row) as Record<string, number>;
        const then = before[row] as Record<string, number>;
        if (over)
          events.add(usual.truncated.data[row] ? "truncated" : usual.reward.data[row] > 0 ? "goal" : "burnt");
        else
          for (const name of ["x", "y", "direction", "held", "doorStatus"])
            if (after[name] !== then[name])
              events.add(`${name} ${name === "held" || name === "doorStatus" ? after[name] : ""}`.trim());
        const [a, b] = over ? [traced.final, usual.final] : [traced.observation, usual.observation];
        expectEqualRow(a as Seen, b as Seen, row);
        // The next level has other random numbers: the usual one is played in both forms.
        if (over) copyLevel(traced, after, row);
      }
    }
    if (view !== "symbols") return;
    // Random actions find the key only in a small room; the rules are the same in large ones.
    const doors = id.includes("DoorKey-5x5") ? ["doorStatus 0", "doorStatus 1", "held 0", "held 1"] : [];
    const ends = id.includes("Lava") ? ["burnt"] : [];
    const cut = /16x16|DoorKey-8x8/.test(id) ? [] : ["truncated"];
    for (const event of ["direction", "x", "y", "goal", ...doors, ...ends, ...cut])
      expect([id, [...events]]).toEqual([id, expect.arrayContaining([event])]);
  });

  it("passes the check of environments, and draws itself", () => {
    const findings = checkEnv(() => make(id, { rows: 2, traced: true }), { seeds: [1], steps: 120 });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const [traced, usual] = [make(id, { rows, traced: true }), make(id, { rows })];
    traced.reset({ seed: 1 });
    usual.reset({ seed: 1 });
    copyLevel(traced, levelOf(id, columnsOf(usual), 2), 2);
    expect(traced.render?.(2)).toBe(usual.render?.(2));
    expect(traced.picture?.(2)).toEqual(usual.picture?.(2));
  });

  it("samples each part of a level as often as usual", () => {
    const [traced, usual] = [make(id, { rows, traced: true }), make(id, { rows })];
    const shares = (env: Vector, levels: () => Record<string, number>[]) => {
      const counts = new Map<string, number>();
      for (let seed = 0; seed < 60; seed++) {
        env.reset({ seed });
        for (const level of levels())
          for (const [name, value] of Object.entries(level))
            counts.set(`${name} ${value}`, (counts.get(`${name} ${value}`) ?? 0) + 1);
      }
      return counts;
    };
    const list = <T>(f: (row: number) => T) => Array.from({ length: rows }, (_, row) => f(row));
    const a = shares(traced, () =>
      list((row) =>
        Object.fromEntries(Object.entries(stateOf(traced)).map(([name, t]) => [name, t.data[row]])),
      ),
    );
    const b = shares(usual, () => list((row) => levelOf(id, columnsOf(usual), row)));
    expect([...a.keys()].sort()).toEqual([...b.keys()].sort());
    // 1920 levels: two shares differ by more than 0.06 once in 10 000 times.
    for (const [name, count] of a) expect(Math.abs(count - b.get(name)!) / (60 * rows)).toBeLessThan(0.065);
  });
}

it("compiles a view without a map: the same rows together or alone", () => {
  const [one, many] = [
    make("MiniGrid-DoorKey-8x8-v0", { traced: true }),
    make("MiniGrid-DoorKey-8x8-v0", { rows: 3, traced: true }),
  ];
  one.reset({ seed: 9 });
  many.reset({ seed: [1, 9, 2] });
  const random = defaultRng(1);
  for (let t = 0; t < 100; t++) {
    const action = random.integers(0, 7);
    one.step(tensor(Int32Array.of(action)));
    many.step(tensor(Int32Array.of(0, action, 1)));
    const [a, b] = [one, many].map((env) => (env.observation as Seen).image);
    expect(Array.from(b.data.slice(a.size, 2 * a.size))).toEqual(Array.from(a.data));
  }
});

it("names options that it does not have", () => {
  const id = "MiniGrid-Empty-5x5-v0";
  const noTraced: object = { traced: true };
  expect(() => make(id, { traced: true, mission: "text" })).toThrow('mission must be "numbers"');
  expect(() => make(id, { traced: true, levels: 10 })).toThrow("Leave out levels.");
  expect(() => make("MiniGrid-MultiRoom-N6-v0", noTraced)).toThrow("there is no option traced");
});

function expectEqualRow(a: Seen, b: Seen, row: number): void {
  expect(a.direction.data[row]).toBe(b.direction.data[row]);
  const size = a.image.size / rows;
  const part = ({ image }: Seen) => image.data.subarray(row * size, (row + 1) * size);
  expect(Buffer.compare(Uint8Array.from(part(a)), Uint8Array.from(part(b)))).toBe(0);
}
