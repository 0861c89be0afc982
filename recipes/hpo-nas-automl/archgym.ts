import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Arm, type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import * as parts from "./archgym.parts.ts";

const learned = { batch: [8, 16, 32], learningRate: [0.3, 1, 3] } as const;
const bred = { population: [16, 32, 64], mutation: [0.03, 0.1, 0.3] } as const;
const colony = { ants: [8, 16, 32], evaporation: [0.03, 0.1, 0.3] } as const;
const walked = { rate: [0.1, 0.3, 0.9], restart: [0.01, 0.03, 0.1] } as const;

const arm = <G extends Grid>(
  name: string,
  grid: G,
  searchOf: (settings: Settings<G>, random: Generator) => parts.Search,
): Arm => ({
  name,
  grid,
  run({ seed, settings, budget }: Trial<G>) {
    const workload = parts.randomWorkload(defaultRng(stream(seed, "workload")));
    const search = searchOf(settings as Settings<G>, defaultRng(stream(seed, "search")));
    const misses: number[] = [];
    let [best, half] = [Number.POSITIVE_INFINITY, 0];
    while (misses.length < budget) {
      const designs = search.ask().slice(0, budget - misses.length);
      const found = designs.map(workload);
      for (const miss of found) {
        misses.push(miss);
        best = Math.min(best, miss);
        if (misses.length === budget >> 1) half = best;
      }
      search.tell(designs, found);
    }
    const mean = misses.reduce((a, b) => a + b) / budget;
    return { values: { miss: best, half, mean }, early: misses.slice(0, 20), used: budget };
  },
});

const sides = ["REINFORCE", "genetic", "ant colony", "random walk"];

export default recipe({
  id: "archgym",
  paper: "ArchGym: An Open-Source Gymnasium for Machine Learning Assisted Architecture Design",
  source: "arXiv:2306.08888, srivatsankrishnan/oss-arch-gym",
  about:
    "An interface between searches and simulators of computer architecture. Designs of a memory controller should meet targets of power and latency. Claimed: with enough samples and tuned settings, all families of search are equally good, so that results depend on the tuning.",
  system: arm("REINFORCE", learned, parts.reinforce),
  baselines: [
    arm("genetic", bred, parts.genetic),
    arm("ant colony", colony, parts.ants),
    arm("random walk", walked, parts.randomWalk),
  ],
  ablations: [
    arm("REINFORCE without learning", learned, ({ batch }, random) =>
      parts.reinforce({ batch, learningRate: 0 }, random),
    ),
  ],
  metrics: {
    miss: {
      about: "distance of the best design from its targets, as a share of them",
      better: "lower",
      worst: 100,
      best: 0,
    },
    half: { about: "the distance after half of the designs", better: "lower", worst: 100, best: 0 },
  },
  claims: [
    {
      kind: "equivalent",
      metric: "miss",
      sides,
      within: 0.02,
      because: "two percent of power and latency are within the tolerance of a specification",
      paper: "no solution is necessarily better than another",
      presupposes: {
        metric: "miss",
        side: "random walk",
        least: 0.02,
        because: "where random designs meet the targets, no search could be better",
      },
    },
    {
      metric: "miss",
      contrast: ["REINFORCE", "random walk"],
      smallest: 0.02,
      because: "a search that learns should be closer by the tolerance of a specification",
    },
  ],
  limits: {
    batch: [2, 128],
    learningRate: [0.001, 100],
    population: [4, 256],
    mutation: [0, 1],
    ants: [2, 128],
    evaporation: [0.001, 1],
    rate: [0.01, 1],
    restart: [0, 1],
  },
  replicates: "workload",
  minutes: 1,
  budget: { unit: "designs", full: 2000, quick: 100 },
  deviations: [
    "Random formulas of ten knobs with the levels of the program's memory controller (the last one has 16 of its 128) replace the simulators; targets are those of a random design.",
    "REINFORCE with a table replaces PPO, one pheromone for each level replaces DeepSwarm, and Bayesian optimisation is left out.",
    "The distance adds power and latency; the program multiplies their inverses, which rewards a design that meets one of them.",
  ],
  tried: [
    "A ratio of distances as the second claim, which is undefined because some searches find the hidden design itself.",
  ],
  finding: (f) =>
    `Reversed if the random walk counts as a family: every search that learns comes closer to the targets. Between the two families that differ most the distance differs by ${f.effect(0)}, and between REINFORCE and the random walk by ${f.effect(1)}, over ${f.count} workloads. What speaks for the paper: the three families that learn are nearly equal. The best designs miss their targets by ${f.mean("REINFORCE", "miss")} with REINFORCE, ${f.mean("genetic", "miss")} with a genetic search and ${f.mean("ant colony", "miss")} with an ant colony, but by ${f.mean("random walk", "miss")} with a random walk and ${f.mean("REINFORCE without learning", "miss")} with REINFORCE that does not learn. With half of the designs the order is the same: ${f.mean("REINFORCE", "half")}, ${f.mean("genetic", "half")}, ${f.mean("ant colony", "half")} and ${f.mean("random walk", "half")}. The claim is about unlimited samples; here there are 2000.`,
});
