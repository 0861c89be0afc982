import { clusters, drop, type Labelled } from "@reins/algorithms";
import { stream } from "@reins/core";
import * as nn from "@reins/nn";
import { type Grid, recipe, type Trial } from "@reins/recipes";
import * as t from "@reins/tensor";

type Tensor = t.Tensor;
const { zeros } = nn.init;
const [features, classes, hidden, batch, round, pretraining] = [16, 6, 32, 32, 20, 200];
/** What each replica adds to the return of an example: λ in the authors' code. */
const lambdas = [0.4, 0.2, 0.1];

const body = nn.mlp({ inputs: features, hidden: [hidden], activation: "relu" });
const head = nn.linear({ inputs: hidden, outputs: classes });
const replica = nn.linear({ inputs: hidden, outputs: hidden, weightInit: zeros, biasInit: zeros });
const init = ([a, b, c]: Tensor[]) => ({
  body: body.init(a),
  head: head.init(b),
  replicas: lambdas.map(() => replica.init(c)),
});
type Weights = ReturnType<typeof init>;

const correct = (logits: Tensor, y: Tensor) => t.cast(t.eq(t.argmax(logits, -1), y), "f32");
const lossOf = (logits: Tensor, y: Tensor) => t.neg(t.pick(t.logSoftmax(logits), y));

/** The loss of a minibatch, whose hidden numbers are left out with probability `p` where a method does so. */
type Loss = (w: Weights, x: Tensor, y: Tensor, p: Tensor, key: Tensor) => Tensor;
const plain: Loss = (w, x, y) => lossOf(head.apply(w.head, body.apply(w.body, x)), y).mean();
const dropout: Loss = (w, x, y, p, key) =>
  lossOf(head.apply(w.head, drop(body.apply(w.body, x), p, key)), y).mean();

/**
 * SPG: a chain of task replicas (TRP in the paper), each with more dropout and the same head, that goes on while the last one was right.
 * The loss of an example counts as much as its return (`trp_criterion` of the authors).
 */
const spg =
  (replicasLearn: boolean): Loss =>
  (w, x, y, p, key) => {
    let state = body.apply(w.body, x);
    let logits = head.apply(w.head, state);
    let [losses, going, returns] = [lossOf(logits, y), correct(logits, y), t.ones([batch])];
    for (const [k, lambda] of lambdas.entries()) {
      const left = drop(state, p, t.random.foldKey(key, k));
      state = left.add(replica.apply(w.replicas[k], left));
      logits = head.apply(w.head, state);
      returns = returns.add(going.mul(lambda));
      if (replicasLearn) losses = losses.add(lossOf(logits, y).mul(going));
      going = going.mul(correct(logits, y));
    }
    return losses.mul(returns).mean();
  };

type How = {
  readonly steps: number;
  readonly learningRate: number;
  readonly p?: number;
  readonly key: Tensor;
};

/** Trains for some steps. After each round: its losses, and the accuracies in percent. */
function train(weights: Weights, { train: seen, held }: Labelled, loss: Loss, how: How) {
  const p = t.scalar(how.p ?? 0);
  const ofBatch = (w: Weights, drawn: Tensor) => {
    const [pick, key] = t.random.splitKey(drawn);
    const chosen = t.random.randint(pick, [batch], 0, seen.y.size);
    return loss(w, t.take(seen.x, chosen, 0), t.take(seen.y, chosen, 0), p, key);
  };
  const step = nn.minimise(weights, ofBatch, { key: how.key });
  const [validation, test] = [held.validation, held.test].map(({ x, y }) =>
    t.compile((w: Weights) => correct(head.apply(w.head, body.apply(w.body, x)), y).mean()),
  );
  return Array.from({ length: how.steps / round }, () => ({
    losses: Array.from({ length: round }, () => step(how.learningRate)),
    validation: 100 * validation(weights).item(),
    test: 100 * test(weights).item(),
  }));
}

const side = (name: string, loss: Loss, own?: Grid) => ({
  name,
  ...(own && { grid: own }),
  run({ seed, budget, settings }: Trial) {
    const { learningRate, p } = settings as { learningRate: number; p?: number };
    const retrained = (wrong: number) => {
      const held = { validation: 1024, test: 4096 };
      const shape = { features, classes, clusters: 3, spread: 0.9, wrong, train: 256, held };
      const data = clusters({ seed: stream(seed, "data"), ...shape });
      const [first, before, key] = t.random.splitKey(t.random.key(stream(seed, "training")), 3);
      const weights = init(t.random.splitKey(first, 3));
      const base = train(weights, data, plain, { steps: pretraining, learningRate: 3e-3, key: before });
      const start = base[base.length - 1];
      const after = train(weights, data, loss, { steps: budget, learningRate, p, key });
      return { start, after, best: after.reduce((a, b) => (b.validation > a.validation ? b : a), start) };
    };
    const { start, after, best } = retrained(0.2);
    const values = { accuracy: best.test, pretrained: start.test, clean: retrained(0).best.test };
    return { values, early: after[0].losses.slice(0, 3), used: budget };
  },
});

const because =
  "one point is about what the paper's dropout gains for ResNet-50, the most that it gains on ImageNet";
const grid = { learningRate: [3e-3, 1e-2, 3e-2], p: [0.1, 0.2] } as const;

export default recipe({
  id: "spg-hpo",
  paper: "Sequential Policy Gradient for Adaptive Hyperparameter Optimization",
  source: "arXiv:2506.15051",
  about:
    "Tuning hyperparameters by reinforcement learning usually takes a controller and many trainings. SPG puts temporary modules on a trained model, in a chain as those that predict several tokens at once: each replica repeats the task with more dropout, its episode goes on while it is right, and the more replicas are right the more the example's losses count. The modules are thrown away after retraining. Claimed: models retrained so gain 0.2 to 7 points at little cost.",
  system: side("SPG", spg(true)),
  baselines: [
    side("retraining", plain, { learningRate: [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2] }),
    side("retraining with dropout", dropout),
  ],
  ablations: [side("SPG, replicas only weigh", spg(false))],
  metrics: {
    accuracy: { about: "test accuracy, percent", better: "higher", worst: 0, best: 100 },
    pretrained: { about: "test accuracy before, percent", better: "higher", worst: 0, best: 100 },
    clean: { about: "test accuracy, all labels right, percent", better: "higher", worst: 0, best: 100 },
  },
  claims: [
    { metric: "accuracy", smallest: 1, because },
    {
      metric: ["accuracy", "pretrained"],
      smallest: 1,
      because,
      paper:
        "1.1 points: ResNet-50 on ImageNet from 76.13 to 77.23 (0.02 for ViT-B/16, 0.23 for MobileNet-V2)",
    },
    { metric: "clean", smallest: 1, because },
  ],
  grid,
  limits: { p: [0.01, 0.9] },
  minutes: 4,
  budget: { unit: "training steps", full: 600, quick: 60 },
  deviations: [
    "A small network on synthetic clusters with a fifth of wrong labels stands for ImageNet, COCO, GLUE, SQuAD and SUPERB; it is retrained on what it was trained on.",
    "Settings are tuned where a fifth of the labels is wrong, and kept where all are right.",
    "The paper compares with the model before retraining; retraining as long without replicas, and with dropout, are added.",
    "The moment that validates best is kept, on all sides; the authors' scripts name one epoch of forty.",
    "The authors scale the loss of some models back to that of the base model; Adam makes that nearly the same.",
  ],
  tried: [
    "Heads that choose a learning rate, dropout, noise and weight decay for four segments of a retraining, by the policy gradient on validation accuracy, against random search from what the heads draw at first: 0.26 points (-0.35 to 0.86) and -0.23 (-0.77 to 0.32) on two sets of twenty seeds.",
    "The same heads against settings drawn uniformly, which favoured heads that had learned nothing.",
  ],
  finding: (f) =>
    `Retraining with one dropout rate gives ${f.mean("retraining with dropout", "accuracy")}%, plain retraining ${f.mean("retraining", "accuracy")}% and SPG ${f.mean("SPG", "accuracy")}%, from ${f.mean("SPG", "pretrained")}% before. A fifth of the labels is wrong there: where all are right it is ${f.mean("retraining with dropout", "clean")}%, ${f.mean("retraining", "clean")}% and ${f.mean("SPG", "clean")}%. Replicas that weigh examples and are not learned from give ${f.mean("SPG, replicas only weigh", "accuracy")}%.`,
});
