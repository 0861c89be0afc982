import { diagnose, type Finding, reportFindings } from "@reins/core";
import { showCompiling } from "../terminal/compiling.ts";
import { validationLine } from "../terminal/imitation.ts";
import { type Io, inkOf, print, shownOn } from "../terminal/io.ts";
import { lastLook, noView, type Subject, trainingView } from "../terminal/training-view.ts";
import {
  compact,
  estimateText,
  grouped,
  rateText,
  short,
  time,
  unfinishedLine,
  unitOf,
} from "../terminal/words.ts";
import type { CarryOnOptions } from "../training/carry-on.ts";
import type { Progress } from "../training/progress.ts";
import type { Trained } from "../training/result.ts";
import { inWords } from "../training/samples.ts";
import type { Sink } from "../training/sink.ts";
import { csv, wandb } from "../training/sinks.ts";
import type { Targets } from "../training/targets.ts";
import { continuousAdvice } from "./continuous-advice.ts";
import type { GivenFlags } from "./flags.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { shellWord } from "./shell-word.ts";
import type { reportFlags, runFlags } from "./training-flags.ts";

type Flags = GivenFlags<typeof reportFlags & typeof runFlags>;
/** What is being trained, and where it is kept. */
export type Trainee = Subject & {
  readonly directory: string | undefined;
  /** Whether the environment can be saved; runs of others are not resumed. */
  readonly savable: boolean;
  /** The folders that its model and its adapters are written to, if they are. */
  readonly targets?: Targets;
  /** The steps that it had taken before; 0 by default. */
  readonly from?: number;
};

/** Trains with a view of how it goes, stops when somebody wishes so, and says what came of it. Resolves to the exit code. */
export async function trainAndReport(
  train: (options: CarryOnOptions) => Promise<Trained>,
  subject: Trainee,
  flags: Flags,
  io: Io,
): Promise<number> {
  // A program reads the standard output; people may still watch.
  const out = flags.json ? io.err : io.out;
  const view = flags.quiet ? noView : trainingView(out, { ...subject, untilSolved: flags.solved });
  const interrupt = listenForInterrupt();
  const hideCompiling = flags.quiet ? () => {} : showCompiling(out);
  let last: Progress | undefined;
  const measured: Measured[] = [];
  try {
    const trained = await train({
      evalEpisodes: flags["eval-episodes"],
      evalEvery: flags["eval-every"],
      solved: flags.solved,
      progressEvery: view.every,
      sinks: sinksOf(flags),
      callbacks: { onEvaluation: ({ mean }, { steps }) => void measured.push({ steps, mean }) },
      interrupted: () => interrupt.code !== undefined,
      onProgress(progress) {
        last = progress;
        view.update(progress);
        return interrupt.code === undefined;
      },
    });
    view.close(last && lastLook(last, trained));
    if (trained.ended === "stopped") {
      print(io.err, ...stopped(trained, subject), ...written(subject));
      return interrupt.code ?? 130;
    }
    if (!flags.quiet) print(out, ...summary(trained, subject, measured, inkOf(out).bold));
    if (flags.json) print(io.out, jsonOf(trained));
    else if (flags.quiet) print(io.out, estimateText(trained.return));
    return 0;
  } finally {
    hideCompiling();
    view.close();
    interrupt.off();
  }
}

/** Where rows go that is typed. */
const sinksOf = (flags: Flags): Sink[] => [
  ...(flags.csv === undefined ? [] : [csv(flags.csv)]),
  ...(flags.wandb === undefined ? [] : [wandb(flags.wandb)]),
];

/** What this process has had of the processor. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The result in one line, for programs. */
export function jsonOf({ return: r, steps, stepsPerSecond, seconds, directory }: Trained): string {
  return JSON.stringify({
    return: { mean: r.mean, std: r.std, interval: r.interval },
    success: r.success,
    episodes: r.episodes,
    steps,
    stepsPerSecond,
    seconds,
    processor: processorSeconds(),
    run: directory ?? null,
  });
}

/** What an agent gained when it was measured, and after how many steps. */
interface Measured {
  readonly steps: number;
  readonly mean: number;
}

/** The best evaluation during training, where that was not of the last agent. */
function bestOnTheWay(measured: readonly Measured[], directory: string | undefined, unit: string): string[] {
  if (measured.length < 2) return [];
  const best = measured.slice(0, -1).reduce((a, b) => (b.mean > a.mean ? b : a));
  if (best.steps === measured[measured.length - 1].steps) return [];
  const seen = directory ? `: reins watch ${shellWord(directory)} --best` : "";
  return [`On the way it was best after ${grouped(best.steps)} ${unit}, ${short(best.mean)}${seen}`];
}

function summary(
  t: Trained,
  subject: Trainee,
  measured: readonly Measured[],
  bold: (text: string) => string,
): string[] {
  const { goal, directory } = subject;
  const folders = written(subject);
  const fresh = t.return !== t.training;
  const solved =
    goal === undefined ? "" : t.return.mean >= goal ? `, solved (${goal})` : `, not solved (${goal})`;
  const what = inWords(t.run)
    ? fresh
      ? "held-out problems"
      : "last completions"
    : `${fresh ? "fresh" : "last"} episodes`;
  const how = t.ended === "solved" ? "Solved" : "Trained";
  return [
    "",
    `${how} in ${time(t.seconds)}${besides(t, subject)}: ${stepsOf(t, subject)}.`,
    `${inWords(t.run) ? "Score" : "Return"} ${bold(estimateText(t.return))} over ${t.return.episodes} ${what}${solved}.`,
    ...validationLine(t.run.metrics),
    ...successLine(t),
    ...unfinishedLine(t.return),
    ...(fresh && t.training.episodes > 0
      ? [`In training it was ${estimateText(t.training)} over the last ${t.training.episodes}.`]
      : []),
    ...bestOnTheWay(measured, directory, unitOf(t.run.options.env)),
    ...findingLines(t, goal),
    ...(directory || folders.length ? [""] : []),
    ...(directory ? [`Kept in ${directory}.   ${next(t, directory)}`] : []),
    ...folders,
  ];
}

/** The success rate, where the environment has goals. */
function successLine({ return: { success, successInterval } }: Trained): string[] {
  if (success === undefined || !successInterval) return [];
  return [`Success rate ${rateText(success, successInterval)}.`];
}

/** How many steps were learned from now, how fast, and how many there are where the run went on. */
function stepsOf({ run, steps, stepsPerSecond }: Trained, { from = 0 }: Trainee): string {
  const now = `${grouped(steps - from)} ${unitOf(run.options.env)} at ${compact(stepsPerSecond)} a second`;
  return from > 0 ? `${now}, ${grouped(steps)} in all` : now;
}

/** What of the time was not learning, where that is a part of it that counts. */
function besides({ seconds, steps, stepsPerSecond }: Trained, { from = 0 }: Trainee): string {
  const rest = seconds - (steps - from) / stepsPerSecond;
  return rest > 0.05 * seconds ? ` (${time(rest)} of it compiling and measuring)` : "";
}

/** Where what was written lies. */
const written = ({ targets: { saveModel, saveAdapters } = {} }: Trainee): string[] => [
  ...(saveModel === undefined ? [] : [`The model is in ${saveModel}.`]),
  ...(saveAdapters === undefined ? [] : [`The adapters are in ${saveAdapters}.`]),
];

/** What to do with a run that is kept. What is answered in words cannot be drawn. */
const next = ({ run }: Trained, directory: string) =>
  run.options.env.stage
    ? `Measure it again: reins eval ${shellWord(directory)}`
    : `See it play: reins watch ${shellWord(directory)}`;

/** What is probably wrong with a run. One that is solved may be so by mistake: where rewards are scaled, for instance. */
function findingLines({ run, return: { mean } }: Trained, goal: number | undefined): string[] {
  // The mean over all agents of a zero-sum game is the same however well they play.
  const { history } = run;
  if (run.options.env.spec.agents && history.early("return/mean") === history.late("return/mean")) return [];
  const findings = diagnose(run).slice(0, 3);
  return [
    ...(findings.length
      ? ["", courseOf(run, goal !== undefined && mean >= goal, findings), reportFindings(findings)]
      : []),
    ...continuousAdvice(run, mean),
  ];
}

/** A line on how the return changed, before the findings. */
function courseOf({ history }: Trained["run"], solved: boolean, findings: readonly Finding[]): string {
  if (solved) return "It counts as solved, but something looks wrong.";
  const names = findings.flatMap(({ name, explains }) => [name, ...explains.map((other) => other.name)]);
  if (names.includes("nothing changes")) return "It did not learn.";
  const [early, late] = [history.early("return/mean"), history.late("return/mean")];
  if (!(late > early)) return "It did not improve.";
  // Means of equal returns differ in the last digit.
  const isSame = late - early <= 1e-9 * Math.abs(early);
  return isSame ? "It did not improve." : "It improved, but could be better.";
}

function stopped({ run, steps, directory }: Trained, { savable }: Trainee): string[] {
  const unmeasured = run.finished ? ", before the agent was measured" : "";
  const at = `Stopped after ${grouped(steps)} ${unitOf(run.options.env)}${unmeasured}.`;
  if (!directory) return ["", `${at} Nothing was kept (--no-save).`];
  return ["", `${at} Go on with: ${savable ? "reins resume" : "reins train --from"} ${shellWord(directory)}`];
}

/** Shows in a terminal that a run is being prepared, and what is compiled for it, which can take a few seconds the first time. */
export function preparing<T>(what: string, flags: Flags, io: Io, prepare: () => T): T {
  const out = flags.json ? io.err : io.out;
  if (flags.quiet || !out.isTTY) return prepare();
  out.write(shownOn(out, inkOf(out).dim(`${what}: starting …`)));
  const hideCompiling = showCompiling(out);
  try {
    return prepare();
  } finally {
    hideCompiling();
    out.write("\r\x1b[K");
  }
}
