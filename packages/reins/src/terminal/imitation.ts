import type { Metrics, PairMeasures } from "@reins/core";
import type { Progress } from "../training/progress.ts";
import { isLanguageRun } from "../training/samples.ts";
import { short } from "./format.ts";
import { History } from "./history.ts";
import type { Series } from "./plot.ts";

const [heldOut, accuracy] = ["validation/loss", "validation/accuracy"];

/** The loss on given completions, if that is what the last update minimised: of SFT, or of a preference method. */
const lossOf = (metrics: Metrics): number | undefined =>
  [metrics["loss/preference"], metrics["loss/cloning"]].find(Number.isFinite);

/** Whether a run learns from given completions: it has a loss, but no returns yet. */
export const isImitating = ({ run, return: mean, metrics }: Progress): boolean =>
  isLanguageRun(run) && Number.isNaN(mean) && lossOf(metrics) !== undefined;

/** Loss curves of given completions: the training loss and, if there is validation, the validation loss. */
export class LossCurves {
  private readonly loss = new History();
  private readonly heldOut = new History();

  add({ steps, metrics }: Progress): void {
    this.loss.add(steps, lossOf(metrics) ?? Number.NaN);
    if (Number.isFinite(metrics[heldOut])) this.heldOut.add(steps, metrics[heldOut]);
  }

  get series(): Series[] {
    const validation = this.heldOut.series("validation loss");
    return [this.loss.series("loss"), ...(validation.x.length ? [validation] : [])];
  }
}

/** Loss, validation loss and token accuracy, marked as supervised phase if another method follows; of preferences, accuracy and margin of pairs. */
export function imitationCells({ run, metrics }: Progress): string[] {
  const known = (name: string) => Number.isFinite(metrics[name]);
  const percent = (name: string) => (known(name) ? [`accuracy ${short(100 * metrics[name])} %`] : []);
  if (known("loss/preference"))
    return [
      `loss ${short(metrics["loss/preference"])}`,
      ...percent("preference/accuracy"),
      ...(known("preference/margin") ? [`margin ${short(metrics["preference/margin"])}`] : []),
    ];
  return [
    ...(run.options.algorithm.name === "sft" ? [] : ["supervised phase"]),
    `loss ${short(metrics["loss/cloning"])}`,
    ...(known(heldOut) ? [`validation loss ${short(metrics[heldOut])}`] : []),
    ...percent(accuracy),
  ];
}

/** The final validation metrics as a sentence. */
export function validationLine(metrics: Metrics): string[] {
  if (!Number.isFinite(metrics[heldOut])) return [];
  const { "validation/entropy": entropy, "validation/examples": examples } = metrics;
  return [
    `Validation loss ${short(metrics[heldOut])} nats per token, token accuracy ${short(100 * metrics[accuracy])} %, entropy ${short(entropy)} nats, on ${examples} held-out ${examples === 1 ? "example" : "examples"}.`,
  ];
}

/** The measures of a reward model on held-out pairs, besides their accuracy. */
export const pairLines = ({ margin, loss, calibration, brier, disagreement }: PairMeasures): string[] => [
  `Margin ${short(margin)}, loss ${short(loss)} nats, calibration error ${short(calibration)}, Brier score ${short(brier)}${disagreement === undefined ? "" : `, disagreement of heads ${short(disagreement)}`}.`,
];
