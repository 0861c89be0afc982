import type { Metrics } from "@reins/core";
import type { Progress } from "../training/progress.ts";
import { isLanguageRun } from "../training/samples.ts";
import { short } from "./format.ts";
import { History } from "./history.ts";
import type { Series } from "./plot.ts";

const [loss, heldOut, accuracy] = ["loss/cloning", "validation/loss", "validation/accuracy"];

/** Whether a run is in its supervised phase: it has a loss, but no returns yet. */
export const isImitating = ({ run, return: mean, metrics }: Progress): boolean =>
  isLanguageRun(run) && Number.isNaN(mean) && Number.isFinite(metrics[loss]);

/** Loss curves of the supervised phase: the training loss and, if there is validation, the validation loss. */
export class LossCurves {
  private readonly loss = new History();
  private readonly heldOut = new History();

  add({ steps, metrics }: Progress): void {
    this.loss.add(steps, metrics[loss]);
    if (Number.isFinite(metrics[heldOut])) this.heldOut.add(steps, metrics[heldOut]);
  }

  get series(): Series[] {
    const validation = this.heldOut.series("validation loss");
    return [this.loss.series("loss"), ...(validation.x.length ? [validation] : [])];
  }
}

/** Loss, validation loss and token accuracy, marked as supervised phase if reinforcement learning follows. */
export function imitationCells({ run, metrics }: Progress): string[] {
  const known = (name: string) => Number.isFinite(metrics[name]);
  return [
    ...(run.options.algorithm.name === "sft" ? [] : ["supervised phase"]),
    `loss ${short(metrics[loss])}`,
    ...(known(heldOut) ? [`validation loss ${short(metrics[heldOut])}`] : []),
    ...(known(accuracy) ? [`accuracy ${short(100 * metrics[accuracy])} %`] : []),
  ];
}

/** The final validation metrics as a sentence. */
export function validationLine(metrics: Metrics): string[] {
  if (!Number.isFinite(metrics[heldOut])) return [];
  const { "validation/entropy": entropy, "validation/examples": examples } = metrics;
  return [
    `Validation loss ${short(metrics[heldOut])} nats per token, token accuracy ${short(100 * metrics[accuracy])} %, entropy ${short(entropy)} nats, on ${examples} held-out examples.`,
  ];
}
