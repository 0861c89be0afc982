import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/**
 * A model of reasoning in steps: `model[n][s]` has the probabilities of the next state after step n in state s. The
 * correct next state is s itself, so that the answer to question q is q.
 */
export type ChainModel = readonly (readonly Float64Array[])[];

/** The states of a chain, the question first and the answer last. */
export type Chain = readonly number[];

/** A model that is correct with probability (1 + (M − 1) δ) / M in every step, and otherwise errs uniformly. */
export const skilled = (steps: number, states: number, delta: number): ChainModel =>
  Array.from({ length: steps }, () =>
    Array.from({ length: states }, (_, s) =>
      new Float64Array(states).fill((1 - delta) / states).map((p, next) => (next === s ? p + delta : p)),
    ),
  );

/** Samples an index; probabilities are raised to `sharpness`, which is 1 / temperature. */
function sample(p: Float64Array, sharpness: number, random: Generator): number {
  const weights = sharpness === 1 ? p : p.map((x) => real.pow(x, sharpness));
  let u = random.random() * weights.reduce((a, b) => a + b);
  for (let i = 0; i < weights.length; i++) if ((u -= weights[i]) < 0) return i;
  return weights.reduce((best, w, i) => (w > 0 ? i : best), 0);
}

/** `samples` chains for every question. */
export function sampleChains(
  model: ChainModel,
  samples: number,
  temperature: number,
  random: Generator,
): Chain[] {
  const chains: Chain[] = [];
  for (let question = 0; question < model[0].length; question++)
    for (let i = 0; i < samples; i++) {
      const chain = [question];
      for (const step of model) chain.push(sample(step[chain[chain.length - 1]], 1 / temperature, random));
      chains.push(chain);
    }
  return chains;
}

/** Whether the answer is correct, however it was found. */
export const solved = (chain: Chain): boolean => chain[0] === chain[chain.length - 1];

/** The most likely model of these chains; states that do not occur keep their probabilities. */
export function refit(model: ChainModel, chains: readonly Chain[]): ChainModel {
  const counts = model.map((step) => step.map((p) => new Float64Array(p.length)));
  for (const chain of chains) for (let n = 0; n < counts.length; n++) counts[n][chain[n]][chain[n + 1]]++;
  return counts.map((step, n) =>
    step.map((row, s) => {
      const sum = row.reduce((a, b) => a + b);
      return sum === 0 ? model[n][s] : row.map((c) => c / sum);
    }),
  );
}

/** REINFORCE on the logits of the model, where the advantage is the reward minus the mean of the question's other samples. */
export function policyGradient(
  model: ChainModel,
  chains: readonly Chain[],
  samples: number,
  learningRate: number,
): ChainModel {
  const change = model.map((step) => step.map((p) => new Float64Array(p.length)));
  const won = new Float64Array(model[0].length);
  for (const chain of chains) won[chain[0]] += Number(solved(chain));
  for (const chain of chains) {
    const reward = Number(solved(chain));
    const advantage = reward - (won[chain[0]] - reward) / (samples - 1);
    if (advantage === 0) continue;
    for (let n = 0; n < model.length; n++) {
      const [p, own] = [model[n][chain[n]], change[n][chain[n]]];
      for (let i = 0; i < p.length; i++)
        own[i] += (advantage / samples) * (Number(i === chain[n + 1]) - p[i]);
    }
  }
  return model.map((step, n) =>
    step.map((p, s) => {
      const raised = p.map((x, i) => x * real.exp(learningRate * change[n][s][i]));
      const sum = raised.reduce((a, b) => a + b);
      return raised.map((x) => x / sum);
    }),
  );
}

/** The exact probabilities of a correct answer and of a chain without any wrong step, means over questions. */
export function accuracies(model: ChainModel): { accuracy: number; steps: number } {
  const states = model[0].length;
  let [accuracy, steps] = [0, 0];
  for (let q = 0; q < states; q++) {
    let p = new Float64Array(states);
    p[q] = 1;
    for (const step of model) {
      const next = new Float64Array(states);
      p.forEach((x, s) => {
        for (let i = 0; i < states; i++) next[i] += x * step[s][i];
      });
      p = next;
    }
    accuracy += p[q] / states;
    steps += model.reduce((product, step) => product * step[q][q], 1) / states;
  }
  return { accuracy, steps };
}
