import { expectTypeOf, it } from "vitest";
import { type Outcome, type Recipe, recipe, type Settings, type Trial } from "./index.ts";

// The TypeScript compiler does the testing: a wrong type does not build.

const outcome: Outcome = { values: { score: 1 }, early: [], used: 1 };
const rest = {
  id: "sample",
  paper: "A sample",
  about: "It shows what is inferred.",
  source: "made up",
  metrics: { score: { about: "score", better: "higher", worst: 0, best: 1 } },
  claims: [{ metric: "score", smallest: 0.1, because: "it is a sample" }],
  budget: { unit: "steps", full: 10, quick: 1 },
  deviations: ["All of it: nothing is measured."],
} as const;
const grid = { learningRate: [1e-3, 1e-2], noise: ["normal", "pink"], dueling: [true, false] } as const;

it("a point of a grid has a value for each setting; numbers may be any, because grids are extended", () => {
  expectTypeOf<Settings<typeof grid>>().toEqualTypeOf<{
    readonly learningRate: number;
    readonly noise: "normal" | "pink";
    readonly dueling: true | false;
  }>();
  expectTypeOf<Trial["seed"]>().toBeNumber();
});

it("arms get the settings of the grid with their types", () => {
  const made = recipe({
    ...rest,
    grid: { learningRate: [1e-3, 1e-2], noise: ["normal", "pink"] },
    system: {
      name: "published",
      run({ settings }) {
        expectTypeOf(settings.learningRate).toEqualTypeOf<number>();
        expectTypeOf(settings.noise).toEqualTypeOf<"normal" | "pink">();
        // @ts-expect-error the grid has no such setting
        settings.clip;
        return outcome;
      },
    },
    baselines: [{ name: "plain", run: async () => outcome }],
  });
  expectTypeOf(made).toEqualTypeOf<Recipe>();
});

it("missing or wrong fields are rejected", () => {
  const side = { name: "plain", run: () => outcome };
  const never = () => {
    // @ts-expect-error there is no system
    recipe({ ...rest, grid, baselines: [side] });
    // @ts-expect-error an arm returns an outcome
    recipe({ ...rest, grid, baselines: [side], system: { name: "published", run: () => 1 } });
    // @ts-expect-error a grid has lists
    recipe({ ...rest, grid: { clip: 0.2 }, baselines: [side], system: side });
  };
  expectTypeOf(never).toBeFunction();
});
