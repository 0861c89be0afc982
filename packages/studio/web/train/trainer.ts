import type { Curve } from "../curves/curve.ts";
import { download } from "./download.ts";
import type { Answer, LessonProgress, Moment, Said, Told } from "./messages.ts";
import { addRow } from "./rows.ts";
import { paceOf, taskOf } from "./tasks.ts";

/** How a training in the page stands. */
export type Phase =
  | "idle"
  | "preparing"
  /** An agent from a file plays, and does not learn. */
  | "loaded"
  | "training"
  | "paused"
  | "finished"
  | "stopped"
  | "failed";

/** What is to begin, and how fast; null: as fast as it can. */
type Begin = Omit<Extract<Told, { do: "begin" }>, "do"> & { readonly stepsPerSecond: number | null };

/** Phases in which something learns, or is about to. */
export const isBusy = (phase: Phase): boolean => ["preparing", "training", "paused"].includes(phase);

/** Frames that wait to be shown, at most. */
const most = 240;

/** A training in a worker, as the page sees it. It goes on while one looks at another page. */
export class Trainer {
  phase: Phase = "idle";
  task: string | undefined;
  progress: LessonProgress | undefined;
  /** Settings as they were when they were first seen: sliders go around them. */
  begun: Record<string, number> = {};
  curves: Map<string, Curve> = new Map();
  /** What is still to be shown of its play. */
  frames: Moment[] = [];
  answers: readonly Answer[] = [];
  /** Something that a person should know. */
  note: { readonly text: string; readonly bad?: boolean } | undefined;
  /** What fresh episodes have brought, when somebody asked. */
  measured: { readonly mean: number; readonly episodes: number; readonly at: number } | undefined;
  /** Name of the file that was saved last. */
  savedAs: string | undefined;
  /** Steps that the agent has learned from, and those of them from before this training. */
  steps = 0;
  before = 0;
  /** How fast it learns at most; null: as fast as it can. */
  stepsPerSecond: number | null = null;
  /** Steps that what was saved last has learned from. */
  private kept = -1;
  private worker: Worker | undefined;
  /** A worker that reads a file: what learns goes on until the file has been found good. */
  private reader: Worker | undefined;
  private readonly told = new Set<() => void>();
  private telling = false;

  /** Calls back when something has changed, until that what is returned is called. */
  follow(tell: () => void): () => void {
    this.told.add(tell);
    return () => this.told.delete(tell);
  }

  /** Whether something was learned here that is in no file. */
  get unsaved(): boolean {
    return this.progress !== undefined && this.kept !== this.steps;
  }

  /** Begins anew, in a worker of its own. */
  begin(wish: Begin): void {
    this.replace(this.hire(wish), wish);
    Object.assign(this, { phase: "preparing", task: wish.task });
    this.changed();
  }

  /** Reads an agent from a file. It takes the place of what is there once it is known to be one, and plays. */
  load(wish: Begin, file: string): void {
    this.reader?.terminate();
    const reader = this.hire(wish);
    this.reader = reader;
    const refuse = (why: string) => {
      reader.terminate();
      this.reader = undefined;
      this.note = { text: `${file} was not loaded: ${why.replace(/\.$/, "")}.`, bad: true };
      this.changed();
    };
    reader.onerror = ({ message }) => refuse(message || "the worker that reads it could not be loaded");
    reader.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.kind === "failed") return refuse(data.why);
      this.reader = undefined;
      const task = data.kind === "begins" ? taskOf(data.task) : undefined;
      const stepsPerSecond = task && task.id !== this.task ? paceOf(task) : wish.stepsPerSecond;
      this.replace(reader, { ...wish, stepsPerSecond });
      this.tell({ do: "pace", stepsPerSecond });
      this.hear(data);
    };
  }

  private hire({ stepsPerSecond, ...wish }: Begin): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const orders: Told[] = [
      { do: "begin", ...wish },
      { do: "pace", stepsPerSecond },
    ];
    for (const order of orders) worker.postMessage(order);
    return worker;
  }

  /** Forgets what was learned, and listens to another worker. */
  private replace(worker: Worker, { stepsPerSecond }: Begin): void {
    this.reader?.terminate();
    this.worker?.terminate();
    [this.worker, this.reader] = [worker, undefined];
    worker.onmessage = ({ data }: MessageEvent<Said>) => this.hear(data);
    worker.onerror = ({ message }) => this.fail(message || "The worker could not be loaded.");
    Object.assign(this, { begun: {}, curves: new Map(), frames: [], answers: [] });
    Object.assign(this, { savedAs: undefined, measured: undefined, progress: undefined, note: undefined });
    [this.before, this.steps, this.kept, this.stepsPerSecond] = [0, 0, -1, stepsPerSecond];
  }

  /** Tells the worker something. */
  tell(order: Told): void {
    this.worker?.postMessage(order);
    if (order.do === "pace") this.stepsPerSecond = order.stepsPerSecond;
    if (order.do === "pause" && this.phase === "training") this.phase = "paused";
    if (order.do === "go" && this.phase === "paused") this.phase = "training";
    // It is shown where it was put, until the worker says where it is.
    if (order.do === "set" && this.progress)
      this.progress = {
        ...this.progress,
        settings: { ...this.progress.settings, [order.setting]: order.value },
      };
    if (order.do === "more") this.phase = "preparing";
    // Whoever goes on has read it.
    if (order.do !== "set" && order.do !== "pace") this.note = undefined;
    this.changed();
  }

  private hear(said: Said): void {
    if (said.kind === "begins") {
      [this.task, this.before, this.steps] = [said.task, said.before, Math.max(this.steps, said.before)];
      if (said.plays) this.phase = "loaded";
    } else if (said.kind === "progress") {
      this.progress = said;
      if (this.phase === "preparing") this.phase = "training";
      for (const [name, value] of Object.entries(said.settings)) this.begun[name] ??= value;
    } else if (said.kind === "row") this.addRow(said.step, said.metrics);
    else if (said.kind === "frames") {
      this.frames.push(...said.frames);
      if (this.frames.length > most) this.frames.splice(0, this.frames.length - most);
      return;
    } else if (said.kind === "answers") this.answers = said.answers;
    else if (said.kind === "measured") this.measured = { ...said, at: this.steps };
    else if (said.kind === "saved") this.keep(said.name, said.bytes);
    else if (said.kind === "ended") this.phase = said.how;
    else if (said.kind === "refused") {
      this.note = { text: said.why, bad: true };
      if (this.phase === "preparing" && !this.progress) this.phase = "loaded";
    } else return this.fail(said.why);
    this.changed();
  }

  /** The last number of a metric. */
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

  private keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    download(name, bytes);
    [this.savedAs, this.kept] = [name, this.steps];
  }

  /** Once a frame, however much is heard. */
  private changed(): void {
    if (this.telling) return;
    this.telling = true;
    setTimeout(() => {
      this.telling = false;
      for (const tell of this.told) tell();
    }, 100);
  }
}

/** The training of this page: there is one. */
export const trainer = new Trainer();
