import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { sources, sourcesTask, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const judging = wordsSides({ ...sourcesTask, family: sources({ id: "sources, judged", judged: true }) });
const answering = wordsSides({ ...sourcesTask, family: sources({ id: "sources" }) });
const instructed = sources({ id: "sources, judged and instructed", judged: true, instructive: 0.2 });
const share = { better: "higher", worst: 0, best: 1 } as const;

export default recipe({
  id: "reseek",
  paper: "ReSeek: A Self-Correcting Framework for Search Agents with Instructive Rewards",
  source: "arXiv:2510.00568",
  about: "x",
  system: judging("ReSeek", grpo, {}, trainedOn(instructed)),
  baselines: [answering("GRPO", grpo)],
  ablations: [judging("JUDGE, outcomes alone", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", ...share },
    "term/faithful": { about: "right answers that rest on a useful document", ...share },
  },
  claims: [{ metric: "accuracy", smallest: 0.05, because: "x" }],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 6000, quick: 1500 },
  minutes: 1,
  deviations: ["x"],
  finding: (f) => `${f.effect()}`,
});
