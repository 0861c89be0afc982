import { diagnose, type Finding, reportFindings } from "@reins/core/diagnostics";
import { showCompiling } from "../terminal/compilation.ts";
import {
  compact,
  distinctLine,
  estimateText,
  grouped,
  rateText,
  short,
  time,
  unfinishedLine,
  unitOf,
} from "../terminal/format.ts";
import { pairLines, validationLine } from "../terminal/imitation.ts";
import { type Io, inkOf, print, shownOn } from "../terminal/io.ts";
import { lastLook, noView, type Subject, trainingView } from "../terminal/training-view.ts";
import type { ContinueOptions } from "../training/continue-options.ts";
import type { Progress } from "../training/progress.ts";
import type { Trained } from "../training/result.ts";
import { isLanguageRun } from "../training/samples.ts";
import type { Sink } from "../training/sink.ts";
import { csv, wandb } from "../training/sinks.ts";
import type { Targets } from "../training/targets.ts";
import { continuousAdvice } from "./continuous-advice.ts";
import type { GivenFlags } from "./flags.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { shellWord } from "./shell-word.ts";
import type { reportFlags, runFlags } from "./training-flags.ts";

type Flags = GivenFlags<typeof reportFlags & typeof runFlags>;
/** The training job to report on. */
export type Trainee = Subject & {
  readonly directory: string | undefined;
  /** Whether the environment can be saved; otherwise the run cannot be resumed. */
  readonly savable: boolean;
  /** Whether the environment has a text rendering (default: true). */
  readonly renders?: boolean;
  /** Folders that the model and the adapters are written to. */
  readonly targets?: Targets;
  /** Steps before this session (default 0). */
  readonly from?: number;
};

/** Trains with a progress view, stops on a signal, and prints a summary. Resolves to the exit code. */
export async function trainAndReport(
  train: (options: ContinueOptions) => Promise<Trained>,
  subject: Trainee,
  flags: Flags,
  io: Io,
): Promise<number> {
  // With --json, progress goes to standard error.
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

/** Sinks of the flags. */
const sinksOf = (flags: Flags): Sink[] => [
  ...(flags.csv === undefined ? [] : [csv(flags.csv)]),
  ...(flags.wandb === undefined ? [] : [wandb(flags.wandb)]),
];

/** Processor time of this process. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The result as one line of JSON. */
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

/** The mean return of an evaluation, and its step. */
interface Measured {
  readonly steps: number;
  readonly mean: number;
}

/** The best evaluation during training, if it was not the last. */
function bestEvaluation(measured: readonly Measured[], command: string | undefined, unit: string): string[] {
  if (measured.length < 2) return [];
  const best = measured.slice(0, -1).reduce((a, b) => (b.mean > a.mean ? b : a));
  if (best.steps === measured[measured.length - 1].steps) return [];
  const hint = command ? `: ${command} --best` : "";
  return [`Best evaluation: ${short(best.mean)} after ${grouped(best.steps)} ${unit}${hint}`];
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
  const what = isLanguageRun(t.run)
    ? fresh
      ? `held-out ${t.return.pairs ? "pair" : t.return.likelihood ? "example" : "problem"}${t.return.episodes === 1 ? "" : "s"}`
      : "training completions"
    : `${fresh ? "evaluation" : "training"} episodes`;
  const how = t.ended === "solved" ? "Solved" : "Trained";
  return [
    "",
    `${how} in ${time(t.seconds)}${overhead(t, subject)}: ${stepsOf(t, subject)}.`,
    `${measureOf(t)} ${bold(estimateText(t.return))} over ${t.return.episodes} ${what}${solved}.`,
    ...epochsLine(t),
    ...distinctLine(t.return, t.return.episodes),
    ...(t.return.pairs ? pairLines(t.return.pairs) : validationLine(t.run.metrics)),
    ...successLine(t),
    ...unfinishedLine(t.return),
    ...(fresh && t.training.episodes > 0
      ? [
          `${isLanguageRun(t.run) ? "Training score" : "Training return"} ${estimateText(t.training)} over the last ${t.training.episodes} ${isLanguageRun(t.run) ? "completions" : "episodes"}.`,
        ]
      : []),
    ...bestEvaluation(measured, directory && commandFor(t, subject, directory), unitOf(t.run.options.env)),
    ...findingLines(t, goal),
    ...(directory || folders.length ? [""] : []),
    ...(directory ? [`Saved in ${directory}.   ${next(t, subject, directory)}`] : []),
    ...folders,
  ];
}

/** Why a run over a list of examples ended before its budget. */
function epochsLine({ run: { metrics, options }, steps }: Trained): string[] {
  const { epoch } = metrics;
  if (!(steps < options.steps && Number.isInteger(epoch) && epoch > 0)) return [];
  return [`It ended after ${epoch} epoch${epoch === 1 ? "" : "s"} over the file (--env-epochs).`];
}

/** What the mean of an evaluation is. */
const measureOf = ({ return: { likelihood, pairs }, run }: Trained): string => {
  if (pairs) return "Accuracy";
  return likelihood ? "Log-probability per token" : isLanguageRun(run) ? "Score" : "Return";
};

/** The success rate, if the environment has goals. */
function successLine({ return: { success, successInterval } }: Trained): string[] {
  if (success === undefined || !successInterval) return [];
  return [`Success rate ${rateText(success, successInterval)}.`];
}

/** Steps of this session and their rate, and the total of a continued run. */
function stepsOf({ run, steps, stepsPerSecond }: Trained, { from = 0 }: Trainee): string {
  const now = `${grouped(steps - from)} ${unitOf(run.options.env)} at ${compact(stepsPerSecond)} per second`;
  return from > 0 ? `${now}, ${grouped(steps)} in total` : now;
}

/** Time spent on compilation and evaluation, if it is more than 5%. */
function overhead({ seconds, steps, stepsPerSecond }: Trained, { from = 0 }: Trainee): string {
  const rest = seconds - (steps - from) / stepsPerSecond;
  return rest > 0.05 * seconds ? ` (${time(rest)} of it compilation and evaluation)` : "";
}

/** Lines that name the written folders. */
const written = ({ targets: { saveModel, saveAdapters } = {} }: Trainee): string[] => [
  ...(saveModel === undefined ? [] : [`The model is in ${saveModel}.`]),
  ...(saveAdapters === undefined ? [] : [`The adapters are in ${saveAdapters}.`]),
];

/** The command that shows the agent: language tasks and some environments have no rendering, and are evaluated instead. */
const commandFor = ({ run }: Trained, { renders = true }: Trainee, directory: string): string =>
  `reins ${run.options.env.stage || !renders ? "eval" : "watch"} ${shellWord(directory)}`;

/** The next command to run. */
function next(t: Trained, subject: Trainee, directory: string): string {
  const command = commandFor(t, subject, directory);
  return `${command.startsWith("reins eval") ? "Evaluate" : "Watch"} it: ${command}`;
}

/** Findings about a run. A solved run is checked too: scaled rewards, for example, can reach the threshold by mistake. */
function findingLines({ run, return: { mean } }: Trained, goal: number | undefined): string[] {
  // The mean return over all agents of a zero-sum game is constant.
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
  if (solved) return "The return counts as solved, but something looks wrong.";
  const names = findings.flatMap(({ name, explains }) => [name, ...explains.map((other) => other.name)]);
  if (names.includes("policy never changes")) return "The agent did not learn.";
  const [early, late] = [history.early("return/mean"), history.late("return/mean")];
  if (!(late > early)) return "The return did not improve.";
  // Means of equal returns differ in the last digit.
  const isSame = late - early <= 1e-9 * Math.abs(early);
  return isSame ? "The return did not improve." : "The return improved, but something looks wrong.";
}

function stopped({ run, steps, directory }: Trained, { savable }: Trainee): string[] {
  const unmeasured = run.finished ? ", before the final evaluation" : "";
  const at = `Stopped after ${grouped(steps)} ${unitOf(run.options.env)}${unmeasured}.`;
  if (!directory) return ["", `${at} Nothing was saved (--no-save).`];
  return [
    "",
    `${at} Continue with: ${savable ? "reins resume" : "reins train --from"} ${shellWord(directory)}`,
  ];
}

/** Shows in a terminal that a run is starting and what is being compiled, which can take a few seconds. */
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
