import { ReinsError, type Run } from "@reins/core";
import type { RemoteAnswer, RemoteCommand, RunState } from "@reins/core/directory";
import { describeValue } from "@reins/core/errors";
import type { Progress } from "./progress.ts";

/** What commands can do to a run with a directory. */
export interface Obedient {
  /** Writes a row of metrics now. */
  log(): void;
  /** Saves the current state and agent. */
  save(): void;
  /** Records a changed setting. */
  changed(setting: string, value: number): void;
}

/** Prefix of the metric that records a changed setting. */
export const settingMetric = (name: string): string => `setting/${name}`;

/** Commands that need no pause between rounds: during an evaluation they are handled at once, and take effect when training continues. */
const atOnce: readonly unknown[] = ["status", "set", "pause", "go", "stop"];

/**
 * Commands from other processes. They wait for the pause between two rounds, in which the run reads the clock anyway; the rounds
 * themselves do not check for them. Evaluations may take minutes, so most commands are answered during one.
 */
export class Remote {
  private readonly run: Run;
  private readonly kept: Obedient;
  private waiting: { command: unknown; answer: (answer: RemoteAnswer) => void }[] = [];
  private ended = false;
  /** Whether the run is paused. */
  paused = false;
  /** Whether the run is to end. */
  stopping = false;
  /** Whether commands arrived during an evaluation; they take effect in the pause after it. */
  isAsked = false;
  /** Whether the agent is being evaluated. */
  private evaluating = false;
  private readonly look: () => Progress;

  /** `look` returns the current progress of the run. */
  constructor(run: Run, kept: Obedient, look: () => Progress) {
    this.run = run;
    this.kept = kept;
    this.look = look;
  }

  /** Receives a command. Resolves when the command was handled. */
  receive(command: unknown): Promise<RemoteAnswer> {
    const wanted = (Object(command) as Partial<RemoteCommand>).do;
    // The final evaluation comes after training.
    if (this.ended && !(this.evaluating && wanted === "status")) return Promise.resolve(over);
    return new Promise((answer) => {
      this.waiting.push({ command, answer });
      if (this.evaluating && wanted !== "status") this.isAsked = true;
      if (this.evaluating && atOnce.includes(wanted)) this.serve(this.look(), (c) => atOnce.includes(c));
    });
  }

  /** Handles commands during an evaluation, except those that must wait until training continues. */
  async during<T>(evaluation: Promise<T>): Promise<T> {
    this.evaluating = true;
    if (this.waiting.length > 0) this.serve(this.look(), (c) => atOnce.includes(c));
    try {
      return await evaluation;
    } finally {
      this.evaluating = false;
    }
  }

  /** Handles pending commands, or those that can be handled now. */
  serve(progress: Progress, isNow: (command: unknown) => boolean = () => true): void {
    if (this.waiting.length === 0) return;
    const isDue = ({ command }: { command: unknown }) => isNow((Object(command) as { do?: unknown }).do);
    const due = this.waiting.filter(isDue);
    this.waiting = this.waiting.filter((w) => !isDue(w));
    for (const { command, answer } of due) {
      try {
        const obeyed = this.obey(command as RemoteCommand);
        const result = typeof obeyed === "string" ? { done: obeyed } : obeyed;
        answer({ ...result, state: this.state(progress) });
      } catch (error) {
        // A full disk ends the run, as it would without a command.
        const { message } = error as Error;
        answer({ error: message });
        if (!(error instanceof ReinsError)) throw error;
      }
    }
  }

  /** Refuses all further commands. */
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
        return `saved the run at step ${run.steps}`;
      case "stop":
        this.stopping = true;
        return `stops at step ${run.steps}`;
      case "pause":
        this.paused = true;
        return `waits at step ${run.steps}`;
      case "go":
        this.paused = false;
        return `continues from step ${run.steps}`;
      case "set": {
        const { setting, value } = command;
        if (typeof setting !== "string" || typeof value !== "number" || !Number.isFinite(value))
          throw new ReinsError(
            `set needs a setting and a number; got ${describeValue(setting)} and ${describeValue(value)}.`,
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
          `unknown command ${describeValue(command)}. Commands are status, set, log, save, stop, pause and go.`,
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
      ...(this.evaluating ? { evaluating: true } : {}),
      return: known(mean),
      stepsPerSecond: known(stepsPerSecond),
      settings: Object.fromEntries(settings),
      metrics: Object.fromEntries(Object.entries(run.metrics).map(([name, x]) => [name, known(x)])),
    };
  }
}

const over: RemoteAnswer = { error: "training has ended; it takes no more commands." };
/** JSON has no NaN. */
const known = (x: number) => (Number.isFinite(x) ? x : null);
