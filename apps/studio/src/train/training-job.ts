import { type Agent, agentOf, type Callbacks, type Progress, type Run, train } from "reins";
import { placeOf } from "reins/core/evaluations";
import type { EvaluationSamples } from "./evaluation-samples.ts";
import { sleep, yieldToEventLoop } from "./event-loop.ts";
import { LiveEpisodes } from "./live-episodes.ts";
import type { WorkerCommand, WorkerMessage } from "./messages.ts";
import { movable } from "./movable.ts";
import { Pace } from "./pace.ts";
import { resolveSetup, type SetupRequest, type TrainingSetup } from "./setup.ts";

type Control = Parameters<NonNullable<Callbacks["onUpdate"]>>[1];

/** Milliseconds of training before it yields to the event loop. */
const slice = 30;

/** A training job in a worker: trains, plays episodes and runs commands in between. */
export class TrainingJob {
  private readonly say: (message: WorkerMessage) => void;
  private commands: WorkerCommand[] = [];
  private setup: TrainingSetup | undefined;
  private run: Run | undefined;
  private episodes: LiveEpisodes | undefined;
  private samples: EvaluationSamples | undefined;
  private yieldedAt = 0;
  private rowAt = -1;
  private paused = false;
  private stopping = false;
  private more = false;
  private pace: Pace | undefined;

  constructor(say: (message: WorkerMessage) => void) {
    this.say = say;
  }

  /** Queues a command, which runs between two updates. */
  tell(command: WorkerCommand): void {
    this.commands.push(command);
  }

  /** Trains, again for each `more`, and plays in between. Runs until its worker is terminated. */
  async go(request: SetupRequest): Promise<never> {
    // A loaded agent plays until `more`.
    for (let now = request, plays = request.from !== undefined; ; plays = false) {
      const setup = await resolveSetup(now);
      [this.setup, this.run, this.episodes, this.samples] = [setup, undefined, undefined, undefined];
      this.rowAt = -1;
      this.say({ kind: "begins", task: setup.task.id, before: setup.before, plays });
      if (plays) {
        await this.watch(setup);
        await this.untilMore();
      }
      while (!(await this.learn(setup, plays))) await this.untilMore();
      await this.untilMore();
      now = { ...now, from: await setup.save(this.run!) };
    }
  }

  private async untilMore(): Promise<void> {
    while (!this.more) await this.yieldFor(slice);
    this.more = false;
  }

  /** Trains for the budget; false if a loaded agent cannot be trained. */
  private async learn(setup: TrainingSetup, loaded: boolean): Promise<boolean> {
    [this.stopping, this.paused] = [false, false];
    try {
      const { ended, run } = await train({
        ...setup.options,
        evalEpisodes: 0,
        onProgress: (p) => this.report(p),
        callbacks: { onUpdate: (_, control) => this.between(setup, control) },
      });
      this.row(run);
      this.say({ kind: "ended", how: ended === "stopped" ? "stopped" : "finished" });
      return true;
    } catch (error) {
      if (!loaded || this.run) throw error;
      this.say({ kind: "refused", why: `The agent can play but not train: ${(error as Error).message}` });
      return false;
    }
  }

  private report({ run, steps, budget, return: mean, seconds, stepsPerSecond }: Progress): void {
    const found = this.samples ? this.samples.right : mean;
    this.say({
      kind: "progress",
      ...{ steps, budget, return: found, seconds, stepsPerSecond },
      ...movable(run),
    });
  }

  /** Called after each update. Returns at once unless it is time to yield. */
  private between(setup: TrainingSetup, control: Control): Promise<void> | undefined {
    if (this.run !== control.run)
      [this.run, this.episodes, this.samples] = [control.run, undefined, undefined];
    if (!this.paused && !this.pace && performance.now() - this.yieldedAt < slice) return undefined;
    return this.look(setup, control);
  }

  private async look(setup: TrainingSetup, control: Control): Promise<void> {
    const { run } = control;
    if (!this.episodes && !this.samples) await this.watch(setup);
    await this.yieldFor(0);
    this.row(run);
    while ((this.paused || this.pace?.isEarly(run.steps)) && !this.stopping) await this.yieldFor(slice);
    if (this.stopping) control.stop();
    this.yieldedAt = performance.now();
  }

  /** Starts to play episodes, or to evaluate a language model. */
  private async watch({ task, options }: TrainingSetup): Promise<void> {
    const { run, agent } = this;
    if (task.pace === 0) {
      this.samples = new (await import("./evaluation-samples.ts")).EvaluationSamples(agent);
      return;
    }
    const place = run ? placeOf(run) : await agent.place();
    const score = () => run?.row["return/mean"] ?? Number.NaN;
    this.episodes = new LiveEpisodes(agent.current, place.make(1), {
      pace: task.pace,
      seed: options.seed ?? 0,
      score,
    });
  }

  /** Yields to the event loop, runs queued commands, and sends frames and answers. */
  private async yieldFor(milliseconds: number): Promise<void> {
    await (milliseconds ? sleep(milliseconds) : yieldToEventLoop());
    for (const command of this.commands.splice(0)) await this.perform(command);
    const frames = this.episodes?.since() ?? [];
    if (frames.length) this.say({ kind: "frames", frames });
    const { samples, run } = this;
    const answers = await samples?.evaluate();
    if (!samples || !answers) return;
    this.say({ kind: "answers", answers });
    this.say({ kind: "row", step: run?.steps ?? 0, metrics: { "answers/right": 100 * samples.right } });
  }

  private row(run: Run): void {
    if (run.steps === this.rowAt) return;
    this.rowAt = run.steps;
    this.say({ kind: "row", step: run.steps, metrics: { ...run.row } });
  }

  private async perform(command: WorkerCommand): Promise<void> {
    if (command.do === "pause" || command.do === "go") this.paused = command.do === "pause";
    else if (command.do === "stop") this.stopping = true;
    else if (command.do === "more") this.more = true;
    else if (command.do === "pace")
      this.pace =
        command.stepsPerSecond === null ? undefined : new Pace(command.stepsPerSecond, this.run?.steps ?? 0);
    else
      try {
        if (command.do === "set") this.run?.set(command.setting, command.value);
        else if (command.do === "measure") await this.measure(command);
        else if (command.do === "save") await this.save();
      } catch (error) {
        this.say({ kind: "refused", why: (error as Error).message });
      }
  }

  private async measure({ episodes, seed }: Extract<WorkerCommand, { do: "measure" }>): Promise<void> {
    const { mean, count } = await this.agent.evaluate(episodes, { seed });
    this.say({ kind: "measured", mean, episodes: count });
  }

  /** The current agent, trained or loaded. */
  private get agent(): Agent {
    const agent = this.run ? agentOf(this.run) : this.setup?.agent;
    if (!agent) throw new Error("No agent yet. Wait for the first update.");
    return agent;
  }

  private async save(): Promise<void> {
    const { task, save } = this.setup!;
    if (!this.run) throw new Error("There is nothing to save yet. Wait for the first update.");
    const name = `${task.id}.${task.pace > 0 ? "agent" : "tar"}`;
    this.say({ kind: "saved", name, bytes: await save(this.run) });
  }
}
