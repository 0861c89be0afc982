import type { Progress } from "../training/progress.ts";
import type { Trained } from "../training/result.ts";
import { isLanguageRun, samplesOf } from "../training/samples.ts";
import { Answers, answersHeight, answersLine } from "./answers.ts";
import { bar } from "./bar.ts";
import { compact, grouped, short, time, unitOf } from "./format.ts";
import { History } from "./history.ts";
import { imitationCells, isImitating, LossCurves } from "./imitation.ts";
import { type Ink, widthOf } from "./ink.ts";
import { inkOf, type Output, print } from "./io.ts";
import { plot, type Series } from "./plot.ts";
import { sampleLine } from "./samples.ts";
import { openScreen } from "./screen.ts";

/** Shows the progress of training. */
export interface TrainingView {
  /** Milliseconds between updates. */
  readonly every: number;
  update(progress: Progress): void;
  /** Draws the final state, which stays on the screen. */
  close(progress?: Progress): void;
}

/** Title and goal of a view. */
export interface Subject {
  readonly title: string;
  /** The solved threshold. */
  readonly goal?: number;
  /** Whether training stops at the goal. */
  readonly untilSolved?: boolean;
}

/** A live plot in a terminal; progress lines in a file or a pipe. */
export function trainingView(out: Output, subject: Subject): TrainingView {
  const roomy = out.isTTY && (out.columns ?? 0) >= 60 && (out.rows ?? 0) >= 12;
  return roomy ? liveView(out, subject) : lineView(out, subject);
}

export const noView: TrainingView = { every: 250, update() {}, close() {} };

function liveView(out: Output, subject: Subject): TrainingView {
  const screen = openScreen(out, { signals: false });
  const ink = inkOf(out);
  const history = new History();
  const losses = new LossCurves();
  const answers = new Answers();
  const draw = (progress: Progress, last = false) => {
    const imitating = isImitating(progress);
    if (imitating) losses.add(progress);
    else history.add(progress.steps, progress.return);
    answers.look(progress, last);
    const { columns = 80, rows = 24 } = out;
    const below = isLanguageRun(progress.run) ? answersHeight : 0;
    const size = { columns, height: Math.max(4, Math.min(14, rows - 6 - below)) };
    screen.draw([
      ...trainingFrame(subject, progress, imitating ? losses.series : [history.series("return")], size, ink),
      ...answers.lines(progress, widthFor(columns), ink),
    ]);
  };
  return {
    every: 100,
    update: (progress) => draw(progress),
    close(progress) {
      if (progress) draw(progress, true);
      screen.close();
    },
  };
}

/** Width of the view. */
const widthFor = (columns: number) => Math.min(columns - 1, 100);

/** The lines of the live view: title, learning curves (`height` lines) and status. */
export function trainingFrame(
  { title, goal, untilSolved }: Subject,
  p: Progress,
  series: readonly Series[],
  size: { readonly columns: number; readonly height: number },
  ink: Ink,
): string[] {
  const width = widthFor(size.columns);
  const { height } = size;
  // Whole rounds may exceed the budget.
  const share = Math.min(1, p.steps / p.budget);
  const imitating = isImitating(p);
  const unit = unitOf(p.run.options.env);
  const curve = plot(series, {
    width,
    height,
    ink,
    unit,
    until: untilSolved ? undefined : p.budget,
    goal: imitating ? undefined : goal,
  });
  const solved = goal !== undefined && p.return >= goal;
  const cells = [
    ...(imitating
      ? imitationCells(p)
      : [
          `return ${ink.bold(solved ? ink.color(2, short(p.return)) : short(p.return))}`,
          ...successCell(p),
          `${grouped(p.episodes)} ${unit === "tokens" ? "completions" : "episodes"}`,
        ]),
    `${compact(p.stepsPerSecond)} ${unit}/s`,
    untilSolved ? time(p.seconds) : `${time(p.left)} left`,
  ];
  const taken = cells.reduce((sum, cell) => sum + 3 + widthOf(cell), 6);
  const done = untilSolved
    ? `${grouped(p.steps)} ${unit}`
    : `${bar(share, Math.max(6, Math.min(24, width - taken)), ink)} ${`${Math.floor(100 * share)} %`.padStart(5)}`;
  return [ink.bold(title), ...curve, [done, ...cells].join("   ")];
}

/** The success rate of the last episodes, if there are goals. */
function successCell({ metrics }: Progress): string[] {
  const share = metrics["success/mean"];
  return share === undefined ? [] : [`success ${Number.isNaN(share) ? "–" : `${Math.round(100 * share)} %`}`];
}

/** Progress lines at growing intervals, for files and pipes. */
export function lineView(out: Output, { title, untilSolved }: Subject): TrainingView {
  print(out, title);
  const line = (p: Progress) => progressLine(untilSolved ? { ...p, left: 0 } : p);
  let next = 1;
  let gap = 1;
  return {
    every: 250,
    update(p) {
      if (p.seconds < next) return;
      // Frequent at first, then every 30 seconds.
      gap = Math.min(30, gap * 1.5);
      next = p.seconds + gap;
      print(out, line(p));
    },
    close(p) {
      if (!p) return;
      const answers = samplesOf(p.run).samples.map((s) => `  ${sampleLine(s, 96, inkOf(out))}`);
      print(out, line(p), ...answers);
    },
  };
}

/** Progress as one line. */
export function progressLine(p: Progress): string {
  const width = grouped(p.budget).length;
  const unit = unitOf(p.run.options.env);
  return [
    `${grouped(p.steps).padStart(width)} of ${grouped(p.budget)} ${unit}`,
    ...(isImitating(p)
      ? imitationCells(p)
      : [`return ${short(p.return).padStart(7)}`, ...successCell(p), ...answersLine(p)]),
    `${compact(p.stepsPerSecond)} ${unit}/s`,
    p.left > 0 ? `${time(p.left)} left` : time(p.seconds),
  ].join("   ");
}

/** The final progress of a finished run. */
export const lastLook = (
  last: Progress,
  { steps, training, stepsPerSecond, seconds }: Trained,
): Progress => ({
  ...last,
  steps,
  return: training.mean,
  stepsPerSecond,
  seconds,
  left: 0,
});

/** Joins the parts of a title. */
export const titleOf = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join("   ");
