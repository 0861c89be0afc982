import { ppo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { rooms, roomsTask } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Three rooms, a key and a door, up to ten turns, with a reward at the end. */
const arm = languageArms({
  ...roomsTask,
  task: rooms({ id: "rooms" }),
  options: { envs: 64, epochs: 2, minibatches: 2, entropyWeight: 0.001, gamma: 1, lambda: 0.95 },
});
const sooner = { metric: "area", smallest: 0.05, because: "a tenth of what is learned here" } as const;

export default recipe({
  id: "archer",
  paper: "ArCHer: Training Language Model Agents via Hierarchical Multi-Turn RL",
  source: "arXiv:2402.19446",
  about:
    "An utterance-level critic guides a token-level policy: it estimates the value of a conversation at the start of a turn, learns from the value of the next turn, and all tokens of a turn share the turn's advantage. Claimed: far fewer samples than methods that treat each token as a step, about a hundredth of those of on-policy methods, and a higher final performance.",
  system: arm("turns", ppo, { credit: "turn" }),
  baselines: [arm("tokens", ppo)],
  metrics: {
    area: { about: "held-out success over training", better: "higher", worst: 0, best: 1 },
    accuracy: { about: "held-out success at the end", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { ...sooner, paper: "about 100 × fewer samples than on-policy methods" },
    { ...sooner, metric: "accuracy", paper: "converges to a much better performance" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 30_000, quick: 2000 },
  minutes: 4,
  deviations: [
    "A one-layer transformer that looks for a key and a door in three rooms replaces GPT-2 and Mistral 7B on twenty questions, WebShop and others. A turn has two tokens here, the move and its end: utterances are hardly longer than tokens, which leaves little benefit for an utterance-level critic.",
    "The critic is a head of the policy's network and learns on-policy, from λ-returns over turns (λ = 0.95), in PPO's epochs. The paper's is a separate network that learns off-policy by temporal differences from a replay buffer, the source of most of its hundredfold gain.",
    "The baseline is PPO with a token-level critic and the same λ per token; everything else is equal.",
  ],
  tried: [
    "Four rooms and fourteen turns: the same result, at three times the cost. Moves as words of four letters: after 80,000 SFT tokens no door was ever opened.",
  ],
  finding: (f) =>
    `Undecided: a turn-level critic shows no clear gain, during training or at the end. The paper's off-policy critic and replay buffer are not part of this comparison, and turns have only two tokens. The turn-level critic changes success over training by ${f.effect(0)} and at the end by ${f.effect(1)}, over ${f.count} seeds: from ${f.mean("turns", "before")} it reaches ${f.mean("turns", "accuracy")}, the token-level critic ${f.mean("tokens", "accuracy")}.`,
});
