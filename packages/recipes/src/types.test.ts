import { expectTypeOf, it } from "vitest";
import { type Outcome, type Recipe, recipe, type Settings, type Trial } from "./index.ts";

// The compiler of TypeScript is what tests here: a wrong type does not build.

const outcome: Outcome = { value: 1, early: [], used: 1 };
const rest = {
  id: "sample",
  paper: "A sample",
  about: "It shows what is inferred.",
  metric: { name: "score", better: "higher", worst: 0 },
  claim: { kind: "difference", smallest: 0.1 },
  budget: { unit: "steps", full: 10, quick: 1 },
  deviations: ["All of it: nothing is measured."],
} as const;
const grid = { learningRate: [1e-3, 1e-2], noise: ["normal", "pink"], dueling: [true, false] } as const;

it("a point of a grid has one of the values of each setting", () => {
  expectTypeOf<Settings<typeof grid>>().toEqualTypeOf<{
    readonly learningRate: 1e-3 | 1e-2;
    readonly noise: "normal" | "pink";
    readonly dueling: true | false;
  }>();
  expectTypeOf<Trial["seed"]>().toBeNumber();
});

it("sides get the settings of the grid, as they are written there", () => {
  const made = recipe({
    ...rest,
    grid: { learningRate: [1e-3, 1e-2], noise: ["normal", "pink"] },
    baseline: {
      name: "plain",
      run({ settings }) {
        expectTypeOf(settings.learningRate).toEqualTypeOf<0.001 | 0.01>();
        expectTypeOf(settings.noise).toEqualTypeOf<"normal" | "pink">();
        // @ts-expect-error the grid has no such setting
        settings.clip;
        return outcome;
      },
    },
    system: { name: "published", run: async () => outcome },
  });
  expectTypeOf(made).toEqualTypeOf<Recipe>();
});

it("what is missing or of another kind is refused", () => {
  const side = { name: "plain", run: () => outcome };
  const never = () => {
    // @ts-expect-error there is no system
    recipe({ ...rest, grid, baseline: side });
    // @ts-expect-error a side gives an outcome
    recipe({ ...rest, grid, baseline: side, system: { name: "published", run: () => 1 } });
    // @ts-expect-error a grid has lists
    recipe({ ...rest, grid: { clip: 0.2 }, baseline: side, system: side });
  };
  expectTypeOf(never).toBeFunction();
});
