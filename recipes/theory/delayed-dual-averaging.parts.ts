import type { Generator } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { real } from "@reins/tensor";

/** Rounds until the loss of a round reaches an agent, at least 1. */
export type Delays = (round: number, random: Generator) => number;

/** Processes with a mean delay of about twenty rounds, except for the first. */
export const delays = {
  none: () => 1,
  constant: () => 20,
  geometric: (_, random) => 1 + Math.floor(random.exponential(19)),
  heavy: (_, random) => Math.min(1000, Math.ceil(3.5 * real.pow(1 - random.random(), -1 / 1.2))),
  bursts: (round) => 40 - (round % 40),
} satisfies { readonly [name: string]: Delays };

/** What an agent has received when it predicts: gradients with their norms, and which of them each of them was based on. */
export class Received {
  readonly sum: Float64Array;
  count = 0;
  /** Sum of the squared norms. */
  squares = 0;
  /** Sum of the products of the norms of gradients neither of which was known when the other one's point was predicted. */
  lag = 0;
  /** The longest delay so far. */
  longest = 0;
  readonly has: Uint8Array;
  private readonly rounds: number[] = [];

  constructor(dimension: number, rounds: number) {
    this.sum = new Float64Array(dimension);
    this.has = new Uint8Array(rounds);
  }

  receive(round: number, now: number, history: History): void {
    const { gradients, norms, based } = history;
    const norm = norms[round];
    for (const other of this.rounds)
      if (!based[round][other] && !based[other][round]) this.lag += norm * norms[other];
    this.rounds.push(round);
    this.has[round] = 1;
    this.count++;
    this.squares += norm * norm;
    this.longest = Math.max(this.longest, now - round);
    for (let k = 0; k < this.sum.length; k++) this.sum[k] += gradients[round][k];
  }
}

/** Gradients of all rounds, their norms, and which earlier rounds a prediction was based on. */
export interface History {
  readonly gradients: Float64Array[];
  readonly norms: number[];
  readonly based: Uint8Array[];
}

/** The learning rate of a prediction. */
export type Rate = (received: Received) => number;

/** An online regression with the absolute loss, which several agents solve together. */
export interface OnlineOptions {
  readonly dimension: number;
  readonly rounds: number;
  readonly agents: number;
  readonly noise: number;
  readonly radius: number;
  /** Rounds for which the features stay the same, so that their gradients add up. */
  readonly block: number;
}

/**
 * Delayed dual averaging: in each round one agent predicts −η times the sum of the gradients that it has received, projected
 * onto a ball. The gradient of its loss reaches every agent after a delay of its own. Returns the expected excess loss of
 * each round over the weights that generate the targets.
 */
export function dualAveraging(
  { dimension, rounds, agents, noise, radius, block }: OnlineOptions,
  rate: Rate,
  delay: Delays,
  random: Generator,
): number[] {
  const weights = Float64Array.from({ length: dimension }, () => random.standardNormal());
  const history: History = { gradients: [], norms: [], based: [] };
  const received = Array.from({ length: agents }, () => new Received(dimension, rounds));
  const arrivals: [round: number, agent: number][][] = Array.from({ length: rounds }, () => []);
  let features: Float64Array = new Float64Array(dimension);
  return Array.from({ length: rounds }, (_, t) => {
    for (const [round, agent] of arrivals[t]) received[agent].receive(round, t, history);
    const own = received[random.integers(agents)];
    const x = own.sum.map((g) => -rate(own) * g);
    const length = Math.sqrt(innerProduct(x, x));
    if (length > radius) for (let k = 0; k < dimension; k++) x[k] *= radius / length;
    if (t % block === 0)
      features = random.fillNormal(new Float64Array(dimension), 0, 1 / Math.sqrt(dimension));
    const error =
      innerProduct(features, x) - innerProduct(features, weights) + noise * random.standardNormal();
    const gradient = features.map((f) => Math.sign(error) * f);
    history.gradients.push(gradient);
    history.norms.push(Math.sqrt(innerProduct(gradient, gradient)));
    history.based.push(own.has.slice());
    for (let agent = 0; agent < agents; agent++) arrivals[t + delay(t, random)]?.push([t, agent]);
    const gap = x.reduce((sum, v, k) => sum + (v - weights[k]) ** 2, 0) / dimension;
    // The mean of |e| for a normal e with this variance.
    return Math.sqrt(2 / Math.PI) * (Math.sqrt(gap + noise * noise) - noise);
  });
}
