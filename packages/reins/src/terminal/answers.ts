import type { Metrics } from "@reins/core";
import type { Progress } from "../training/progress.ts";
import { isLanguageRun, type Samples, samplesOf } from "../training/samples.ts";
import { short } from "./format.ts";
import { History } from "./history.ts";
import { type Ink, pad } from "./ink.ts";
import { sampleLine } from "./samples.ts";
import { sparkline } from "./sparkline.ts";

/** Fixed height of the samples, so that the view does not jump. */
export const answersHeight = 5;
/** Seconds between changes of the samples, so that they can be read. */
const interval = 2;

/** Metrics by label. */
const courses = {
  reward: "reward/mean",
  length: "length/mean",
  entropy: "policy/entropy",
  loss: "loss/cloning",
  accuracy: "validation/accuracy",
  margin: "preference/margin",
  pairs: "preference/accuracy",
} as const;

type Course = keyof typeof courses;

const nameOf = (course: Course): string => (course === "pairs" ? "accuracy" : course);

/** What the texts of a batch are that the model did not write. */
const sourceOf = (algorithm: string, metrics: Metrics): string => {
  if ("loss/preference" in metrics) return "recorded completions";
  return algorithm === "sft" ? "demonstrations" : "supervised phase: demonstrations";
};

/** The metrics to show: reward, length and entropy; margin and accuracy of preferences; or loss or accuracy in the supervised phase. */
const coursesOf = (metrics: Metrics, taught: boolean): Course[] =>
  "loss/preference" in metrics
    ? (["margin", "pairs"] as const).filter((course) => courses[course] in metrics)
    : taught
      ? [courses.accuracy in metrics ? "accuracy" : "loss"]
      : ["reward", "length", courses.entropy in metrics ? "entropy" : "loss"];

/** The part of the live view for language runs: sparklines of metrics, and a few samples. */
export class Answers {
  private readonly histories: { readonly [course in Course]: History } = {
    reward: new History(),
    length: new History(),
    entropy: new History(),
    loss: new History(),
    accuracy: new History(),
    margin: new History(),
    pairs: new History(),
  };
  private shown: Samples = { taught: false, samples: [] };
  private since = Number.NEGATIVE_INFINITY;

  /** Updates metrics and samples. With `last`, the samples are those of the end. */
  look({ run, metrics, seconds, steps }: Progress, last = false): void {
    if (!isLanguageRun(run)) return;
    if (last || seconds - this.since >= interval) {
      this.shown = samplesOf(run);
      this.since = seconds;
    }
    for (const course of coursesOf(metrics, this.shown.taught)) {
      const value = metrics[courses[course]];
      if (Number.isFinite(value)) this.histories[course].add(steps, value);
    }
  }

  /** {@link answersHeight} lines; none for other runs. */
  lines({ run, metrics }: Progress, width: number, ink: Ink): string[] {
    if (!isLanguageRun(run)) return [];
    const { taught, samples } = this.shown;
    const shown = coursesOf(metrics, taught).map((course) => ({ course, value: metrics[courses[course]] }));
    const before = taught ? [sourceOf(run.options.algorithm.name, metrics)] : [];
    const gap = 3 * (before.length + shown.length - 1);
    const named = shown.reduce((sum, { course }) => sum + nameOf(course).length + numberWidth + 2, gap);
    const left = width - named - before.join().length;
    const spark = Math.max(0, Math.min(24, Math.floor(left / shown.length)));
    const cells = shown.map(({ course, value }) => {
      const curve = ink.color(0, sparkline(Array.from(this.histories[course].series(course).y), spark));
      return `${nameOf(course)} ${pad(ink.bold(short(value ?? Number.NaN)), numberWidth)} ${pad(curve, spark)}`;
    });
    const lines = ["", [...before, ...cells].join("   "), ...samples.map((s) => sampleLine(s, width, ink))];
    return Array.from({ length: answersHeight }, (_, i) => lines[i] ?? "");
  }
}

const numberWidth = 6;

/** Length, entropy and loss for a progress line. */
export function answersLine({ run, metrics }: Progress): string[] {
  if (!isLanguageRun(run)) return [];
  return (["length", "entropy", "loss"] as const)
    .filter((course) => Number.isFinite(metrics[courses[course]]))
    .map((course) => `${course} ${short(metrics[courses[course]])}`);
}
