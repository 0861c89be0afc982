import { agentOf, type Callbacks, type Progress, type Run, train } from "reins";
import { type Beginning, beginning } from "./begin.ts";
import { Film } from "./film.ts";
import type { Said, Told } from "./messages.ts";
import { Pace } from "./pace.ts";
import type { Recital } from "./recital.ts";
import { sleep, turn } from "./turns.ts";

type Control = Parameters<NonNullable<Callbacks["onUpdate"]>>[1];

/** Milliseconds of training between two looks at the world. */
const stretch = 30;

/** A training in a worker: it learns, plays beside it, and does what it is told whenever it looks up. */
export class Lesson {
  private readonly say: (said: Said) => void;
  private told: Told[] = [];
  private begun: Beginning | undefined;
  private run: Run | undefined;
  private film: Film | undefined;
  private recital: Recital | undefined;
  private rested = 0;
  private rowAt = -1;
  private paused = false;
  private stopping = false;
  private more = false;
  private pace: Pace | undefined;

  constructor(say: (said: Said) => void) {
    this.say = say;
  }

  /** Takes an order, which is carried out between two rounds. */
  tell(order: Told): void {
    this.told.push(order);
  }

  /** Trains from beginning to end, as often as somebody wants more, and plays in between. Never ends: its worker is ended. */
  async go(begin: Extract<Told, { do: "begin" }>): Promise<never> {
    for (let now = begin; ; ) {
      const begun = await beginning(now);
      const { task, options } = begun;
      this.say({ kind: "begins", task: task.id });
      this.begun = begun;
      [this.stopping, this.more, this.run, this.film, this.recital] = [
        false,
        false,
        undefined,
        undefined,
        undefined,
      ];
      const { ended } = await train({
        ...options,
        evalEpisodes: 0,
        onProgress: (p) => this.report(p),
        callbacks: { onUpdate: (_, control) => this.between(begun, control) },
      });
      this.say({ kind: "ended", how: ended === "stopped" ? "stopped" : "finished" });
      while (!this.more) await this.rest(stretch);
      now = { ...now, from: await begun.save(this.learner) };
    }
  }

  private report({ run, steps, budget, return: mean, seconds, stepsPerSecond }: Progress): void {
    const settings = Object.entries(run.process.settings).flatMap(([name, { shown }]) =>
      shown === undefined ? [] : [[name, shown] as const],
    );
    const found = this.recital ? this.recital.right : mean;
    this.say({
      kind: "progress",
      ...{ steps, budget, return: found, seconds, stepsPerSecond },
      settings: Object.fromEntries(settings),
    });
  }

  /** After each round: nothing, mostly. */
  private between(beginning: Beginning, control: Control): Promise<void> | undefined {
    this.run = control.run;
    if (!this.paused && !this.pace && performance.now() - this.rested < stretch) return undefined;
    return this.look(beginning, control);
  }

  private async look({ task, options }: Beginning, control: Control): Promise<void> {
    const { run } = control;
    const seed = options.seed ?? 0;
    if (task.pace > 0) this.film ??= new Film(run, task.pace, seed);
    else this.recital ??= new (await import("./recital.ts")).Recital(run);
    await this.rest(0);
    this.row(run);
    while ((this.paused || this.pace?.isEarly(run.steps)) && !this.stopping) await this.rest(stretch);
    if (this.stopping) control.stop();
    this.rested = performance.now();
  }

  /** Lets messages come in, does what they say, and shows how it plays. */
  private async rest(milliseconds: number): Promise<void> {
    await (milliseconds ? sleep(milliseconds) : turn());
    for (const order of this.told.splice(0)) await this.obey(order);
    const frames = this.film?.since() ?? [];
    if (frames.length) this.say({ kind: "frames", frames });
    const { recital, run } = this;
    const answers = await recital?.hear();
    if (!recital || !run || !answers) return;
    this.say({ kind: "answers", answers });
    this.say({ kind: "row", step: run.steps, metrics: { "answers/right": recital.right } });
  }

  private row(run: Run): void {
    if (run.steps === this.rowAt) return;
    this.rowAt = run.steps;
    this.say({ kind: "row", step: run.steps, metrics: { ...run.row } });
  }

  private async obey(order: Told): Promise<void> {
    if (order.do === "pause" || order.do === "go") this.paused = order.do === "pause";
    else if (order.do === "stop") this.stopping = true;
    else if (order.do === "more") this.more = true;
    else if (order.do === "pace")
      this.pace =
        order.stepsPerSecond === null ? undefined : new Pace(order.stepsPerSecond, this.run?.steps ?? 0);
    else
      try {
        if (order.do === "set") this.run?.set(order.setting, order.value);
        else if (order.do === "measure") await this.measure(order);
        else if (order.do === "save") await this.save();
      } catch (error) {
        this.say({ kind: "refused", why: (error as Error).message });
      }
  }

  private async measure({ episodes, seed }: Extract<Told, { do: "measure" }>): Promise<void> {
    const { mean, count } = await agentOf(this.learner).evaluate(episodes, { seed });
    this.say({ kind: "measured", mean, episodes: count });
  }

  private get learner(): Run {
    if (!this.run) throw new Error("Nothing was learned yet.");
    return this.run;
  }

  private async save(): Promise<void> {
    const { task, save } = this.begun!;
    const name = `${task.id}.${task.pace > 0 ? "agent" : "tar"}`;
    this.say({ kind: "saved", name, bytes: await save(this.learner) });
  }
}
