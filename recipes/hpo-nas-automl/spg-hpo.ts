import { clusters, drop, type Labelled } from "@reins/algorithms";
import { stream } from "@reins/core/random";
import * as nn from "@reins/nn";
import { type Grid, recipe, type Trial } from "@reins/recipes";
import * as t from "@reins/tensor";

type Tensor = t.Tensor;
const { zeros } = nn.init;
const [features, classes, hidden, batch, round, pretraining] = [16, 6, 32, 32, 20, 200];
/** The contribution of each replica to an example's return: λ in the authors' code. */
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

/** The loss of a minibatch; `p` is the dropout probability, for methods with dropout. */
type Loss = (w: Weights, x: Tensor, y: Tensor, p: Tensor, key: Tensor) => Tensor;
const plain: Loss = (w, x, y) => lossOf(head.apply(w.head, body.apply(w.body, x)), y).mean();
const dropout: Loss = (w, x, y, p, key) =>
  lossOf(head.apply(w.head, drop(body.apply(w.body, x), p, key)), y).mean();

/**
 * SPG: a chain of task replicas (TRP in the paper), each with more dropout and the same head, that continues while the last one is
 * correct. The loss of an example is weighted by its return (`trp_criterion` of the authors).
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

/** Trains for some steps. Returns losses and accuracies in percent after each round. */
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

const arm = (name: string, loss: Loss, own?: Grid) => ({
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
    "Tuning hyperparameters with RL usually takes a controller and many training runs. SPG adds temporary modules to a trained model, chained as in multi-token prediction: each replica repeats the task with more dropout, its episode continues while the prediction is correct, and an example's loss is weighted by the number of correct replicas. The modules are discarded after retraining. Claimed: retrained models gain 0.2 to 7 points at little cost.",
  system: arm("SPG", spg(true)),
  baselines: [
    arm("retraining", plain, { learningRate: [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2] }),
    arm("retraining with dropout", dropout),
  ],
  ablations: [arm("SPG, replicas only weigh", spg(false))],
  metrics: {
    accuracy: { about: "test accuracy, percent", better: "higher", worst: 0, best: 100 },
    pretrained: { about: "test accuracy before retraining, percent", better: "higher", worst: 0, best: 100 },
    clean: { about: "test accuracy with clean labels, percent", better: "higher", worst: 0, best: 100 },
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
    "A small network on synthetic clusters with a fifth of wrong labels replaces ImageNet, COCO, GLUE, SQuAD and SUPERB; it is retrained on its original training data.",
    "Settings are tuned with a fifth of wrong labels, and kept for clean labels.",
    "The paper compares with the model before retraining; retraining for as long without replicas, and with dropout, are added as baselines.",
    "All arms keep the checkpoint with the best validation accuracy; the authors' scripts name one epoch of forty.",
    "The authors rescale the loss of some models to that of the base model; with Adam this makes almost no difference.",
  ],
  tried: [
    "Heads that choose a learning rate, dropout, noise and weight decay for four segments of a retraining, by policy gradient on validation accuracy, against random search from the heads' initial distribution: 0.26 points (-0.35 to 0.86) and -0.23 (-0.77 to 0.32) on two sets of twenty seeds.",
    "The same heads against uniformly sampled settings, which favoured untrained heads.",
  ],
  finding: (f) =>
    `SPG gains more than retraining with or without dropout when a fifth of the labels is wrong. With clean labels the gain is negligible. With wrong labels, retraining with one dropout rate gives ${f.mean("retraining with dropout", "accuracy")}%, plain retraining ${f.mean("retraining", "accuracy")}% and SPG ${f.mean("SPG", "accuracy")}%, from ${f.mean("SPG", "pretrained")}% before retraining; with clean labels ${f.mean("retraining with dropout", "clean")}%, ${f.mean("retraining", "clean")}% and ${f.mean("SPG", "clean")}%. Replicas that only weight examples and have no loss of their own give ${f.mean("SPG, replicas only weigh", "accuracy")}%.`,
});
