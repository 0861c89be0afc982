import type { Curve } from "../curves/curve.ts";
import { download } from "./download.ts";
import type { Answer, EpisodeFrame, TrainingProgress, WorkerCommand, WorkerMessage } from "./messages.ts";
import { addRow } from "./rows.ts";
import { paceOf, taskOf } from "./tasks.ts";

/** The state of training in the page. */
export type Phase =
  | "idle"
  | "preparing"
  /** A loaded agent plays without training. */
  | "loaded"
  | "training"
  | "paused"
  | "finished"
  | "stopped"
  | "failed";

/** A request to train or play, with a speed limit (null: unlimited). */
type Begin = Omit<Extract<WorkerCommand, { do: "begin" }>, "do"> & { readonly stepsPerSecond: number | null };

/** Whether training is in progress, paused or about to start. */
export const isBusy = (phase: Phase): boolean => ["preparing", "training", "paused"].includes(phase);

/** Maximum number of queued frames. */
const most = 240;

/** Training in a worker, as seen by the page. It continues while another page is open. */
export class Trainer {
  phase: Phase = "idle";
  task: string | undefined;
  progress: TrainingProgress | undefined;
  /** Initial values of settings, around which the sliders range. */
  begun: Record<string, number> = {};
  curves: Map<string, Curve> = new Map();
  /** Queued frames. */
  frames: EpisodeFrame[] = [];
  answers: readonly Answer[] = [];
  /** A message to the user. */
  note: { readonly text: string; readonly bad?: boolean } | undefined;
  /** The last evaluation. */
  measured: { readonly mean: number; readonly episodes: number; readonly at: number } | undefined;
  /** Name of the last saved file. */
  savedAs: string | undefined;
  /** Steps that the agent was trained for, and those before this training. */
  steps = 0;
  before = 0;
  /** Maximum number of steps per second; null is unlimited. */
  stepsPerSecond: number | null = null;
  /** Steps of the last saved agent. */
  private saved = -1;
  private worker: Worker | undefined;
  /** A worker that reads a file. Training continues until the file is known to be valid. */
  private reader: Worker | undefined;
  private readonly listeners = new Set<() => void>();
  private scheduled = false;

  /** Calls a listener after changes. Returns a function that removes it. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether there is unsaved training. */
  get unsaved(): boolean {
    return this.progress !== undefined && this.saved !== this.steps;
  }

  /** Starts training in a new worker. */
  begin(request: Begin): void {
    this.replace(this.newWorker(request), request);
    Object.assign(this, { phase: "preparing", task: request.task });
    this.changed();
  }

  /** Loads an agent file. If it is valid, the agent replaces the current one and plays. */
  load(request: Begin, file: string): void {
    this.reader?.terminate();
    const reader = this.newWorker(request);
    this.reader = reader;
    const refuse = (why: string) => {
      reader.terminate();
      this.reader = undefined;
      this.note = { text: `${file} was not loaded: ${why.replace(/\.$/, "")}.`, bad: true };
      this.changed();
    };
    reader.onerror = ({ message }) => refuse(message || "the worker could not be loaded. Reload the page");
    reader.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === "failed") return refuse(data.why);
      this.reader = undefined;
      const task = data.kind === "begins" ? taskOf(data.task) : undefined;
      const stepsPerSecond = task && task.id !== this.task ? paceOf(task) : request.stepsPerSecond;
      this.replace(reader, { ...request, stepsPerSecond });
      this.tell({ do: "pace", stepsPerSecond });
      this.receive(data);
    };
  }

  private newWorker({ stepsPerSecond, ...request }: Begin): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const commands: WorkerCommand[] = [
      { do: "begin", ...request },
      { do: "pace", stepsPerSecond },
    ];
    for (const command of commands) worker.postMessage(command);
    return worker;
  }

  /** Discards the current training, and switches to another worker. */
  private replace(worker: Worker, { stepsPerSecond }: Begin): void {
    this.reader?.terminate();
    this.worker?.terminate();
    [this.worker, this.reader] = [worker, undefined];
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
    worker.onerror = ({ message }) =>
      this.fail(message || "The worker could not be loaded. Reload the page.");
    Object.assign(this, { begun: {}, curves: new Map(), frames: [], answers: [] });
    Object.assign(this, { savedAs: undefined, measured: undefined, progress: undefined, note: undefined });
    [this.before, this.steps, this.saved, this.stepsPerSecond] = [0, 0, -1, stepsPerSecond];
  }

  tell(command: WorkerCommand): void {
    this.worker?.postMessage(command);
    if (command.do === "pace") this.stepsPerSecond = command.stepsPerSecond;
    if (command.do === "pause" && this.phase === "training") this.phase = "paused";
    if (command.do === "go" && this.phase === "paused") this.phase = "training";
    // The new value is shown until the worker reports it.
    if (command.do === "set" && this.progress)
      this.progress = {
        ...this.progress,
        settings: { ...this.progress.settings, [command.setting]: command.value },
      };
    if (command.do === "more") this.phase = "preparing";
    // A new command dismisses the message.
    if (command.do !== "set" && command.do !== "pace") this.note = undefined;
    this.changed();
  }

  private receive(message: WorkerMessage): void {
    if (message.kind === "begins") {
      [this.task, this.before, this.steps] = [
        message.task,
        message.before,
        Math.max(this.steps, message.before),
      ];
      if (message.plays) this.phase = "loaded";
    } else if (message.kind === "progress") {
      this.progress = message;
      if (this.phase === "preparing") this.phase = "training";
      for (const [name, value] of Object.entries(message.settings)) this.begun[name] ??= value;
    } else if (message.kind === "row") this.addRow(message.step, message.metrics);
    else if (message.kind === "frames") {
      this.frames.push(...message.frames);
      if (this.frames.length > most) this.frames.splice(0, this.frames.length - most);
      return;
    } else if (message.kind === "answers") this.answers = message.answers;
    else if (message.kind === "measured") this.measured = { ...message, at: this.steps };
    else if (message.kind === "saved") this.saveFile(message.name, message.bytes);
    else if (message.kind === "ended") this.phase = message.how;
    else if (message.kind === "refused") {
      this.note = { text: message.why, bad: true };
      if (this.phase === "preparing" && !this.progress) this.phase = "loaded";
    } else return this.fail(message.why);
    this.changed();
  }

  /** The last value of a metric. */
  latest(metric: string): number | undefined {
    return this.curves.get(metric)?.at(Number.POSITIVE_INFINITY)?.raw;
  }

  private fail(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    Object.assign(this, { phase: "failed", note: { text: why, bad: true } });
    this.changed();
  }

  private addRow(step: number, metrics: Readonly<Record<string, number>>): void {
    this.steps = this.before + step;
    addRow(this.curves, this.steps, metrics);
  }

  private saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    download(name, bytes);
    [this.savedAs, this.saved] = [name, this.steps];
  }

  /** Calls the listeners, at most every 100 ms. */
  private changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setTimeout(() => {
      this.scheduled = false;
      for (const listener of this.listeners) listener();
    }, 100);
  }
}

/** The trainer of this page. */
export const trainer = new Trainer();
