import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Grid, recipe, type Settings, type Trial, tableArm } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as net from "./in-rl-path-selection.parts.ts";

/** Domains that a packet crosses, paths of each, the share of their rates that is used, and slots between changes. */
const [domains, paths, load, phase] = [2, 4, 0.8, 500];
const grid = { rate: [0.003, 0.01, 0.03, 0.1], floor: [0, 0.01, 0.03] } as const;
const greedy = { smoothing: [0.03, 0.1, 0.3, 1], epsilon: [0.03, 0.1, 0.3] } as const;
/** From equal shares, as ECMP has them, to shares that grow with the square of a path's rate and beyond. */
const fixed = { power: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75] } as const;
const soft = { smoothing: [0.03, 0.1, 0.3, 1], temperature: [0.03, 0.1, 0.3] } as const;

const arm = <G extends Grid>(
  name: string,
  chooserOf: (settings: Settings<G>, all: readonly net.Path[]) => net.Chooser,
  own?: G,
) =>
  tableArm({
    name,
    ...(own && { grid: own }),
    begin({ seed, settings }: Trial<G>, random: Generator) {
      const world = defaultRng(stream(seed, "network"));
      const all = Array.from({ length: domains }, () => {
        const own = net.randomPaths(world, paths);
        return new net.Domain(own, chooserOf(settings as Settings<G>, own), load, random);
      });
      let [packets, delay, lost, late] = [0, 0, 0, 0];
      return {
        step(t) {
          if (t % phase === 0) for (const domain of all) domain.change(world);
          for (const domain of all) {
            const slot = domain.step();
            packets += slot.packets;
            delay += slot.delay;
            lost += slot.lost;
            if (2 * (t % phase) >= phase) late += 2 * slot.delay;
          }
          return delay;
        },
        values: () => ({ delay: delay / packets, lost: lost / packets, late: late / packets }),
      };
    },
  });

const sla = ({ rate, floor }: Settings<typeof grid>) => new net.Automaton(paths, rate, floor);
const least = (x: Float64Array) => x.reduce((best, v, i) => (v < x[best] ? i : best), 0);
const lower = (about: string, worst: number) => ({ about, better: "lower", worst, best: 0 }) as const;

export default recipe({
  id: "in-rl-path-selection",
  paper: "Reinforcement Learning-based Adaptive Path Selection for Programmable Networks",
  source: "arXiv:2508.13806",
  about:
    "Switches learn where to forward packets without a controller. At each decision node a stochastic learning automaton has a probability for each path to the next node; in-band telemetry brings back how full the queues of a path were, and the probability of that path rises with the reward. Claimed: it finds effective paths and adapts when congestion shifts.",
  system: arm("learning automaton", sla),
  baselines: [
    arm(
      "least occupied path, ε-greedy",
      ({ smoothing, epsilon }: Settings<typeof greedy>) =>
        new net.Smoothed(paths, smoothing, (x, random) =>
          random.chance(epsilon) ? random.integers(paths) : least(x),
        ),
      greedy,
    ),
    arm(
      "softmax of smoothed telemetry",
      ({ smoothing, temperature }: Settings<typeof soft>) =>
        new net.Smoothed(paths, smoothing, (x, random) => {
          const weights = x.map((v) => real.exp(-v / temperature));
          const sum = weights.reduce((a, b) => a + b);
          return random.choice(
            paths,
            weights.map((w) => w / sum),
          );
        }),
      soft,
    ),
    arm(
      "fixed shares",
      ({ power }: Settings<typeof fixed>, all) => {
        const weights = all.map((path) => real.pow(path.rate, power));
        const sum = weights.reduce((a, b) => a + b);
        const shares = weights.map((w) => w / sum);
        return new net.Smoothed(paths, 0, (_, random) => random.choice(paths, shares));
      },
      fixed,
    ),
  ],
  ablations: [arm("equal shares (ECMP)", () => new net.Automaton(paths, 0, 0))],
  metrics: {
    delay: lower("mean delay of a packet in a domain, in slots; a lost one counts as a full queue more", 100),
    late: lower("mean delay in the second half of each phase, after the paths had time to adapt", 100),
    lost: lower("share of lost packets", 1),
  },
  claims: [
    {
      kind: "ratio",
      metric: "delay",
      contrast: ["learning automaton", "fixed shares"],
      smallest: 1.2,
      because: "a fifth of the delay pays for telemetry in every packet",
      paper: "converges to effective paths and adapts to shifts (time series of one network)",
    },
    {
      kind: "ratio",
      metric: "delay",
      smallest: 1.1,
      because: "a tenth of the delay is worth one rule rather than another",
    },
  ],
  grid,
  limits: { power: [0, 6], floor: [0, 0.2], rate: [0.0001, 0.5], smoothing: [0.001, 1], epsilon: [0, 1] },
  replicates: "network",
  minutes: 3,
  budget: { unit: "slots", full: 4000, quick: 600 },
  deviations: [
    "Two domains in a row, each with four simulated paths of different rates, queues of 60 packets and telemetry after 4 to 12 slots, replace Mininet with P4 switches; every 500 slots the packets of others move to other paths.",
    "Of the paper the abstract, its introduction and a review were found: the automaton is the standard linear reward-inaction scheme, and the reward is the free share of the queue that the flowlet met. A least probability, which keeps an automaton from being absorbed, is tuned and may be 0.",
    "The paper has no baseline. Fixed shares, which may depend on the known rates of the paths, are what switches do without learning; the other baselines use the same telemetry.",
  ],
  finding: (f) =>
    `Shown against fixed shares: the automaton adapts and halves the delay. Reversed against the best use of the same telemetry, a softmax of smoothed occupancies, which has shorter delays. Against fixed shares, which know the rates of the paths, the delay changes by ${f.effect(0)}, against the softmax by ${f.effect(1)}, over ${f.count} networks. After half of a phase the automaton is as fast as it gets (${f.mean("learning automaton", "late")}; softmax ${f.mean("softmax of smoothed telemetry", "late")}): what it lacks is speed after a change. Packets lost: ${f.mean("learning automaton", "lost")}, softmax ${f.mean("softmax of smoothed telemetry", "lost")}, fixed shares ${f.mean("fixed shares", "lost")}. Sending to the least occupied path, as seen some slots ago, fills one queue after the other (${f.mean("least occupied path, ε-greedy", "delay")}).`,
});
