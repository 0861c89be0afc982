import { type Agent, agentOf, type Callbacks, type Progress, type Run, train } from "reins";
import { placeOf } from "reins/core";
import { type Beginning, beginning, type Wish } from "./begin.ts";
import { Film } from "./film.ts";
import type { Said, Told } from "./messages.ts";
import { movable } from "./movable.ts";
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
  async go(wish: Wish): Promise<never> {
    // An agent from a file plays, until somebody wants it to learn.
    for (let now = wish, plays = wish.from !== undefined; ; plays = false) {
      const begun = await beginning(now);
      [this.begun, this.run, this.film, this.recital] = [begun, undefined, undefined, undefined];
      this.rowAt = -1;
      this.say({ kind: "begins", task: begun.task.id, before: begun.before, plays });
      if (plays) {
        await this.watch(begun);
        await this.untilMore();
      }
      while (!(await this.learn(begun, plays))) await this.untilMore();
      await this.untilMore();
      now = { ...now, from: await begun.save(this.run!) };
    }
  }

  private async untilMore(): Promise<void> {
    while (!this.more) await this.rest(stretch);
    this.more = false;
  }

  /** A training, as long as it should be; false if an agent that was loaded cannot learn. */
  private async learn(begun: Beginning, loaded: boolean): Promise<boolean> {
    [this.stopping, this.paused] = [false, false];
    try {
      const { ended, run } = await train({
        ...begun.options,
        evalEpisodes: 0,
        onProgress: (p) => this.report(p),
        callbacks: { onUpdate: (_, control) => this.between(begun, control) },
      });
      this.row(run);
      this.say({ kind: "ended", how: ended === "stopped" ? "stopped" : "finished" });
      return true;
    } catch (error) {
      if (!loaded || this.run) throw error;
      this.say({ kind: "refused", why: `It can play and not learn. ${(error as Error).message}` });
      return false;
    }
  }

  private report({ run, steps, budget, return: mean, seconds, stepsPerSecond }: Progress): void {
    const found = this.recital ? this.recital.right : mean;
    this.say({
      kind: "progress",
      ...{ steps, budget, return: found, seconds, stepsPerSecond },
      ...movable(run),
    });
  }

  /** After each round: nothing, mostly. */
  private between(beginning: Beginning, control: Control): Promise<void> | undefined {
    if (this.run !== control.run) [this.run, this.film, this.recital] = [control.run, undefined, undefined];
    if (!this.paused && !this.pace && performance.now() - this.rested < stretch) return undefined;
    return this.look(beginning, control);
  }

  private async look(beginning: Beginning, control: Control): Promise<void> {
    const { run } = control;
    if (!this.film && !this.recital) await this.watch(beginning);
    await this.rest(0);
    this.row(run);
    while ((this.paused || this.pace?.isEarly(run.steps)) && !this.stopping) await this.rest(stretch);
    if (this.stopping) control.stop();
    this.rested = performance.now();
  }

  /** Begins to show how it plays, or what it answers. */
  private async watch({ task, options }: Beginning): Promise<void> {
    const { run, agent } = this;
    if (task.pace === 0) {
      this.recital = new (await import("./recital.ts")).Recital(agent);
      return;
    }
    const place = run ? placeOf(run) : await agent.place();
    const score = () => run?.row["return/mean"] ?? Number.NaN;
    this.film = new Film(agent.current, place.make(1), { pace: task.pace, seed: options.seed ?? 0, score });
  }

  /** Lets messages come in, does what they say, and shows how it plays. */
  private async rest(milliseconds: number): Promise<void> {
    await (milliseconds ? sleep(milliseconds) : turn());
    for (const order of this.told.splice(0)) await this.obey(order);
    const frames = this.film?.since() ?? [];
    if (frames.length) this.say({ kind: "frames", frames });
    const { recital, run } = this;
    const answers = await recital?.hear();
    if (!recital || !answers) return;
    this.say({ kind: "answers", answers });
    // In per cent, as people say it.
    this.say({ kind: "row", step: run?.steps ?? 0, metrics: { "answers/right": 100 * recital.right } });
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
    const { mean, count } = await this.agent.evaluate(episodes, { seed });
    this.say({ kind: "measured", mean, episodes: count });
  }

  /** The agent as it is now: what it has learned here, or as it was loaded. */
  private get agent(): Agent {
    const agent = this.run ? agentOf(this.run) : this.begun?.agent;
    if (!agent) throw new Error("Nothing was learned yet.");
    return agent;
  }

  private async save(): Promise<void> {
    const { task, save } = this.begun!;
    if (!this.run) throw new Error("Nothing was learned here yet.");
    const name = `${task.id}.${task.pace > 0 ? "agent" : "tar"}`;
    this.say({ kind: "saved", name, bytes: await save(this.run) });
  }
}
