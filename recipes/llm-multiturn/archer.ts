import { ppo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { rooms, roomsTask } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Three rooms, a key and a door, up to ten turns, paid in the end. */
const side = wordsSides({
  ...roomsTask,
  family: rooms({ id: "rooms" }),
  options: { envs: 64, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 },
});
const sooner = { metric: "area", smallest: 0.05, because: "a tenth of what is learned here" } as const;

export default recipe({
  id: "archer",
  paper: "ArCHer: Training Language Model Agents via Hierarchical Multi-Turn RL",
  source: "arXiv:2402.19446",
  about:
    "A critic of whole utterances stands above a policy of tokens: it says what a conversation is worth where a turn begins, learns from what the next turn is worth, and the advantage of a turn is that of all its tokens. Claimed: far fewer samples than methods that treat each token as a step need, about a hundredth of those of on-policy ones, and a higher level in the end.",
  system: side("turns", ppo, { credit: "turn" }),
  baselines: [side("tokens", ppo)],
  metrics: {
    area: { about: "held-out success over training", better: "higher", worst: 0, best: 1 },
    accuracy: { about: "held-out success in the end", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { ...sooner, paper: "about 100 × fewer samples than on-policy methods" },
    { ...sooner, metric: "accuracy", paper: "converges to a much better performance" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 30_000, quick: 2000 },
  minutes: 4,
  deviations: [
    "A transformer of one layer that looks for a key and a door in three rooms stands for GPT-2 and Mistral 7B on twenty questions, WebShop and others. A turn has two tokens here, the move and its end: utterances are hardly longer than tokens, which leaves little of what a critic of utterances is good for.",
    "The critic is a head of the policy's own network and learns on-policy, from λ-returns over turns (λ = 0.95), in PPO's passes. The paper's is a network of its own that learns off-policy by temporal differences from a replay, which is where most of its hundredfold comes from.",
    "The baseline is PPO with a critic of tokens and the same λ for each token; all else is the same.",
  ],
  tried: [
    "Four rooms and fourteen turns: the same picture, at three times the cost. Moves as words of four letters: after 80,000 imitated tokens no door was ever opened.",
  ],
  finding: (f) =>
    `A critic of turns changes success over training by ${f.effect()} and in the end by ${f.effect(1)}, over ${f.count} seeds: from ${f.mean("turns", "before")} it comes to ${f.mean("turns", "accuracy")}, with a critic of tokens to ${f.mean("tokens", "accuracy")}.`,
});
