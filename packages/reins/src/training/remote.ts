import { ReinsError, type Run, said } from "@reins/core";
import type { RemoteAnswer, RemoteCommand, RunState } from "@reins/core/directory";
import type { Progress } from "./progress.ts";

/** What a run that is kept can do when it is told so. */
export interface Obedient {
  /** Writes a row now. */
  log(): void;
  /** Keeps the state and the agent as they are now. */
  save(): void;
  /** Notes that a setting was changed. */
  changed(setting: string, value: number): void;
}

/** The metric under which it is noted that a setting was changed from outside. */
export const settingMetric = (name: string): string => `setting/${name}`;

/**
 * Commands from outside, which wait until the run has a moment: between two rounds, when it looks at the clock anyway. Rounds know
 * nothing of them.
 */
export class Remote {
  private readonly run: Run;
  private readonly kept: Obedient;
  private waiting: { command: unknown; answer: (answer: RemoteAnswer) => void }[] = [];
  private ended = false;
  /** Whether the run is to wait. */
  paused = false;
  /** Whether it is to end. */
  stopping = false;

  constructor(run: Run, kept: Obedient) {
    this.run = run;
    this.kept = kept;
  }

  /** Takes a command, to be answered when it was done. */
  receive(command: unknown): Promise<RemoteAnswer> {
    if (this.ended) return Promise.resolve(over);
    return new Promise((answer) => this.waiting.push({ command, answer }));
  }

  /** Does what was asked for since the last time. */
  serve(progress: Progress): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    for (const { command, answer } of waiting) {
      try {
        const obeyed = this.obey(command as RemoteCommand);
        const result = typeof obeyed === "string" ? { done: obeyed } : obeyed;
        answer({ ...result, state: this.state(progress) });
      } catch (error) {
        // A disk that is full ends the run, as it would without anybody asking.
        const { message } = error as Error;
        answer({ error: message });
        if (!(error instanceof ReinsError)) throw error;
      }
    }
  }

  /** From now on there is nothing left that could be done. */
  end(): void {
    this.ended = true;
    for (const { answer } of this.waiting) answer(over);
    this.waiting = [];
  }

  private obey(command: RemoteCommand): string | { readonly done: string; readonly warning?: string } {
    const { run, kept } = this;
    switch (command?.do) {
      case "status":
        return "";
      case "log":
        kept.log();
        return `wrote a row at step ${run.steps}`;
      case "save":
        kept.save();
        return `kept the run at step ${run.steps}`;
      case "stop":
        this.stopping = true;
        return `stops at step ${run.steps}`;
      case "pause":
        this.paused = true;
        return `waits at step ${run.steps}`;
      case "go":
        this.paused = false;
        return `goes on from step ${run.steps}`;
      case "set": {
        const { setting, value } = command;
        if (typeof setting !== "string" || typeof value !== "number" || !Number.isFinite(value))
          throw new ReinsError(
            `set takes the name of a setting and a number; these are ${said(setting)} and ${said(value)}.`,
          );
        const { name, usual } = run.set(setting, value);
        kept.changed(name, value);
        return {
          done: `${name} is ${value} from step ${run.steps} on`,
          ...(usual && (value < usual.low || value > usual.high)
            ? { warning: `${name} ${value} is outside its usual range (${usual.low} to ${usual.high}).` }
            : {}),
        };
      }
      default:
        throw new ReinsError(
          `a run can be told status, set, log, save, stop, pause and go; this is ${said(command)}.`,
        );
    }
  }

  private state({ steps, budget, seconds, stepsPerSecond, return: mean }: Progress): RunState {
    const { run, paused } = this;
    const settings = Object.entries(run.process.settings).flatMap(([name, { shown }]) =>
      shown === undefined ? [] : [[name, shown] as const],
    );
    return {
      ...{ steps, budget, paused, seconds },
      return: known(mean),
      stepsPerSecond: known(stepsPerSecond),
      settings: Object.fromEntries(settings),
      metrics: Object.fromEntries(Object.entries(run.metrics).map(([name, x]) => [name, known(x)])),
    };
  }
}

const over: RemoteAnswer = { error: "training has ended; there is nothing left to tell it." };
/** JSON has no NaN. */
const known = (x: number) => (Number.isFinite(x) ? x : null);
