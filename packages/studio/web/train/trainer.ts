import { Curve } from "../curves/curve.ts";
import type { Answer, LessonProgress, Moment, Said, Told } from "./messages.ts";

/** How a training in the page stands. */
export type Phase = "idle" | "preparing" | "training" | "paused" | "finished" | "stopped" | "failed";

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
  curves = new Map<string, Curve>();
  /** What is still to be shown of its play. */
  frames: Moment[] = [];
  answers: readonly Answer[] = [];
  /** Something that a person should know. */
  note: { readonly text: string; readonly bad?: boolean } | undefined;
  /** What fresh episodes have brought, when somebody asked. */
  measured: { readonly mean: number; readonly episodes: number; readonly at: number } | undefined;
  /** Name of the file that was saved last. */
  savedAs: string | undefined;
  /** Steps of trainings before this one, which it goes on from. */
  private before = 0;
  private lastStep = 0;
  private worker: Worker | undefined;
  private readonly told = new Set<() => void>();
  private telling = false;

  /** Calls back when something has changed, until that what is returned is called. */
  follow(tell: () => void): () => void {
    this.told.add(tell);
    return () => this.told.delete(tell);
  }

  /** Begins anew, in a worker of its own. */
  begin(wish: Omit<Extract<Told, { do: "begin" }>, "do">): void {
    this.worker?.terminate();
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<Said>) => this.hear(data);
    this.worker.onerror = (event) => this.fail(event.message || "The worker could not be loaded.");
    Object.assign(this, { phase: "preparing", task: wish.task, progress: undefined, note: undefined });
    Object.assign(this, { begun: {}, curves: new Map(), frames: [], answers: [] });
    Object.assign(this, { savedAs: undefined, measured: undefined });
    [this.before, this.lastStep] = [0, 0];
    this.tell({ do: "begin", ...wish });
  }

  /** Tells the worker something. */
  tell(order: Told): void {
    this.worker?.postMessage(order);
    if (order.do === "pause" && this.phase === "training") this.phase = "paused";
    if (order.do === "go" && this.phase === "paused") this.phase = "training";
    // It is shown where it was put, until the worker says where it is.
    if (order.do === "set" && this.progress)
      this.progress = {
        ...this.progress,
        settings: { ...this.progress.settings, [order.setting]: order.value },
      };
    if (order.do === "more") [this.phase, this.before] = ["preparing", this.lastStep];
    this.changed();
  }

  private hear(said: Said): void {
    if (said.kind === "begins") this.task = said.task;
    else if (said.kind === "progress") {
      this.progress = said;
      if (this.phase === "preparing") this.phase = "training";
      for (const [name, value] of Object.entries(said.settings)) this.begun[name] ??= value;
    } else if (said.kind === "row") this.addRow(said.step, said.metrics);
    else if (said.kind === "frames") {
      this.frames.push(...said.frames);
      if (this.frames.length > most) this.frames.splice(0, this.frames.length - most);
      return;
    } else if (said.kind === "answers") this.answers = said.answers;
    else if (said.kind === "measured") this.measured = { ...said, at: this.lastStep };
    else if (said.kind === "saved") this.keep(said.name, said.bytes);
    else if (said.kind === "ended") this.phase = said.how;
    else if (said.kind === "refused") this.note = { text: said.why, bad: true };
    else return this.fail(said.why);
    this.changed();
  }

  private fail(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    Object.assign(this, { phase: "failed", note: { text: why, bad: true } });
    this.changed();
  }

  private addRow(step: number, metrics: Readonly<Record<string, number>>): void {
    this.lastStep = this.before + step;
    for (const [name, value] of Object.entries(metrics)) {
      if (!Number.isFinite(value)) continue;
      let curve = this.curves.get(name);
      if (!curve) this.curves.set(name, (curve = new Curve()));
      curve.x.push(Float64Array.of(this.lastStep));
      curve.y.push(Float64Array.of(value));
      curve.grow();
    }
  }

  /** Gives the bytes to the person as a file. */
  private keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.savedAs = name;
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
