import type { Metrics } from "@reins/core";
import type { Progress } from "../training/progress.ts";
import { inWords } from "../training/samples.ts";
import { History } from "./history.ts";
import type { Series } from "./plot.ts";
import { short } from "./words.ts";

const [loss, heldOut, accuracy] = ["loss/cloning", "validation/loss", "validation/accuracy"];

/** Whether a run only imitates so far: it has a loss, and no returns. */
export const isImitating = ({ run, return: mean, metrics }: Progress): boolean =>
  inWords(run) && Number.isNaN(mean) && Number.isFinite(metrics[loss]);

/** The curves of a run that imitates: its loss and, where it is validated, the loss on held-out examples. */
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

/** Loss, validation loss and token accuracy in a few words, and whether that is only the warm-up before reinforcement learning. */
export function imitationCells({ run, metrics }: Progress): string[] {
  const known = (name: string) => Number.isFinite(metrics[name]);
  return [
    ...(run.options.algorithm.name === "sft" ? [] : ["warm-up"]),
    `loss ${short(metrics[loss])}`,
    ...(known(heldOut) ? [`validation loss ${short(metrics[heldOut])}`] : []),
    ...(known(accuracy) ? [`accuracy ${short(100 * metrics[accuracy])} %`] : []),
  ];
}

/** What validation found in the end, as a sentence. */
export function validationLine(metrics: Metrics): string[] {
  if (!Number.isFinite(metrics[heldOut])) return [];
  const { "validation/entropy": entropy, "validation/examples": examples } = metrics;
  return [
    `Validation loss ${short(metrics[heldOut])} nats a token, token accuracy ${short(100 * metrics[accuracy])} %, entropy ${short(entropy)} nats, on ${examples} held-out examples.`,
  ];
}
