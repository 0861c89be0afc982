import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Recipe, recipe } from "@reins/recipes";

/** Places of the best learning rate of an arm: on grid points, or anywhere between them. */
export type Optima = "on" | "between";

/** A simulated arm: a parabola over the logarithm of its learning rate, in grid steps. */
export interface Surface {
  /** The best learning rate, in grid steps from the middle. */
  readonly optimum: number;
  /** Loss at one grid step from the optimum, in units of the smallest effect. */
  readonly curvature: number;
}

/** Random parameters of a simulated recipe, in units of the smallest effect. */
export interface World {
  readonly system: Surface;
  readonly baseline: Surface;
  /** Standard deviation of the noise of a run. */
  readonly own: number;
  /** Standard deviation of the noise that a seed shares across arms and settings. */
  readonly shared: number;
}

/** Learning rates in grid steps from the middle. */
const grid = [-2, -1, 0, 1, 2];

/** Samples parameters: flat and sharp optima, on, between and beyond grid points, with noise from a fifth of an effect to three. */
export function drawWorld(seed: number, optima: Optima): World {
  const random = defaultRng(stream(seed, "world"));
  const uniform = (low: number, high: number) => low + (high - low) * random.random();
  const scale = (low: number, high: number) => Math.exp(uniform(Math.log(low), Math.log(high)));
  const place = (optimum: number) => (optima === "on" ? Math.round(optimum) : optimum);
  const surface = (): Surface => ({ optimum: place(uniform(-3.5, 3.5)), curvature: scale(0.05, 5) });
  const own = scale(0.2, 3);
  return { system: surface(), baseline: surface(), own, shared: own * scale(0.3, 10) };
}

/** The loss of an arm at a learning rate, against its best. */
const loss = ({ optimum, curvature }: Surface, position: number) => curvature * (position - optimum) ** 2;

/** A recipe whose system is better than its baseline by `effect`, each at its best learning rate. The smallest effect is 1. */
export function simulated(seed: number, world: World, effect: number): Recipe {
  const side = (name: string, surface: Surface, height: number): Arm => {
    return {
      name,
      run({ seed: run, settings, budget }) {
        const rate = settings.rate as number;
        const noise =
          world.shared * normal(stream(seed, "shared"), run) +
          world.own * normal(stream(seed, `${name} at ${rate}`), run);
        const value = height - loss(surface, Math.log2(rate)) + noise;
        return { values: { score: value }, early: [], used: budget };
      },
    };
  };
  return recipe({
    id: "simulated",
    paper: "None",
    source: "made up",
    about: "Two parabolas and noise.",
    system: side("system", world.system, effect),
    baselines: [side("baseline", world.baseline, 0)],
    metrics: { score: { about: "score", better: "higher", worst: -1e6, best: "open" } },
    claims: [{ metric: "score", smallest: 1, because: "everything is counted in it" }],
    grid: { rate: grid.map((position) => 2 ** position) },
    budget: { unit: "runs", full: 1, quick: 1 },
    deviations: ["It is made up."],
  });
}

/** A normal sample for a run (Box and Muller, 1958). */
function normal(seed: number, run: number): number {
  const bits = stream(seed, "run", run);
  const [radius, angle] = [Math.floor(bits / 2 ** 27), bits % 2 ** 27];
  return Math.sqrt(-2 * Math.log((radius + 0.5) / 2 ** 26)) * Math.cos((2 * Math.PI * angle) / 2 ** 27);
}
