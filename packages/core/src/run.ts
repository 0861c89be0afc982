import { random } from "@reins/tensor";
import type { Metrics, Process } from "./algorithm.ts";
import { History } from "./diagnostics/history.ts";
import { makeCopies, requireSteps } from "./environment.ts";
import { didYouMean, fail, isSameName } from "./errors.ts";
import { type ExecutionPlan, inline, withPlan } from "./plan.ts";
import { checkOptions, checkRows, type RunOptions } from "./run-options.ts";
import type { LiveSettingState } from "./signal.ts";
import { restore, type Saved, type Snapshot, save } from "./snapshot.ts";
import { Statistics } from "./statistics.ts";
import { defaultSeed, stream } from "./stream.ts";

/**
 * A training run as a value in memory: advance it, inspect it, change a setting, fork it. A directory can hold it
 * (`@reins/core/directory`). A restored run continues exactly as the original would have.
 */
export class Run implements Saved {
  readonly options: RunOptions;
  readonly statistics = new Statistics();
  readonly process: Process;
  /** The metrics so far. */
  readonly history = new History();
  /** Metrics of the last round. */
  metrics: Metrics = {};
  /** Metrics from outside the algorithm, added to every row. */
  readonly noted: Metrics = {};
  /** Rounds so far. */
  rounds = 0;
  private known: Process["settings"] = {};
  private moving: readonly LiveSettingState[] = [];
  /** Settings whose statistic has not been measured yet. */
  private following: readonly Followed[] = [];

  constructor(options: RunOptions) {
    this.options = options;
    const { seed = defaultSeed, plan = inline, env, steps, algorithm, task, data } = checkOptions(options);
    const start = (plan: ExecutionPlan) =>
      algorithm.start({
        seed,
        key: random.key(stream(seed, "algorithm")),
        spec: env.spec,
        place: env,
        env: (rows) => makeCopies(requireSteps(env), checkRows(rows, env.spec.id)),
        task,
        data,
        plan,
        statistics: this.statistics,
        budget: steps,
      });
    this.process = withPlan(plan, algorithm.name, start);
    this.updateSettings();
  }

  /** Environment steps taken. */
  get steps(): number {
    return this.process.steps;
  }

  /** Whether a loss was NaN. `diagnose(run)` gives the likely cause. */
  broken = false;

  /** Fraction of the budget that is spent, from 0 to 1. */
  get progress(): number {
    return Math.min(1, this.steps / this.options.steps);
  }

  get finished(): boolean {
    return this.steps >= this.options.steps || (this.process.finished ?? false);
  }

  /** One round of the algorithm. A promise only if the plan works remotely or an environment is asynchronous. */
  round(): Metrics | Promise<Metrics> {
    const result = this.process.step();
    return result instanceof Promise ? result.then((m) => this.note(m)) : this.note(result);
  }

  private note(metrics: Metrics): Metrics {
    this.rounds++;
    this.metrics = metrics;
    this.history.note(metrics);
    if (!this.options.tolerant) this.stopIfBroken();
    this.updateSettings();
    if (this.following.length) this.checkFollowed();
    return metrics;
  }

  /** Throws if a signal follows a statistic that is never measured: its setting would silently stay constant. */
  private checkFollowed(): void {
    const known = this.statistics.known();
    this.following = this.following.filter(({ of }) => !known.includes(of));
    // Statistics of updates are known after the first update, which may come late.
    if (!known.some((name) => /^(loss|gradient)\//.test(name)) && this.rounds < 20) return;
    for (const { name, of } of this.following) {
      fail(
        this.options.algorithm.name,
        `${name} follows ${of}, which is never measured here.${didYouMean(of, known)} There are ${known.join(", ")}. (An algorithm that measures it later must call statistics.announce.)`,
      );
    }
  }

  /** Stops when a loss is NaN: the weights are lost, and continuing would hide where it began. */
  private stopIfBroken(): void {
    const broken = this.statistics.broken();
    if (broken === undefined) return;
    const { id } = this.options.env.spec;
    this.broken = true;
    fail(`${this.options.algorithm.name} on ${id}`, `${broken} is NaN after ${this.steps} steps.`);
  }

  private updateSettings(): void {
    const { settings } = this.process;
    if (settings !== this.known) {
      this.known = settings;
      this.moving = Object.values(settings).filter((live) => live.moves);
      this.following = this.moving.flatMap(followedBy);
    }
    // Most runs have constant settings only: then the progress is not needed.
    if (this.moving.length === 0) return;
    const { progress, statistics } = this;
    for (let i = 0; i < this.moving.length; i++) this.moving[i].update(progress, statistics);
  }

  /** Runs until `steps` environment steps are taken in total (default: the budget), synchronously. */
  advance(steps = this.options.steps): Metrics {
    while (this.steps < steps && !this.process.finished) {
      if (this.round() instanceof Promise)
        fail("run", "its plan or environment is asynchronous. Use advanceAsync() instead of advance().");
    }
    return this.metrics;
  }

  /** Asynchronous {@link advance}, which yields to the event loop. `each` is called after every round; returning false stops. */
  async advanceAsync(steps = this.options.steps, each?: (run: Run) => boolean | undefined): Promise<Metrics> {
    let yieldHook = Date.now();
    while (this.steps < steps && !this.process.finished) {
      const result = this.round();
      if (result instanceof Promise) await result;
      if (each?.(this) === false) break;
      if (Date.now() - yieldHook > 40) {
        await new Promise((done) => setTimeout(done, 0));
        yieldHook = Date.now();
      }
    }
    return this.metrics;
  }

  /**
   * The current row of metrics: measurements, the learning rate (`setting/learningRate`) and other settings that change, and
   * metrics from outside the algorithm.
   */
  get row(): Metrics {
    const row = { ...this.metrics };
    const { learningRate } = this.process.settings;
    const settings = learningRate ? new Set([learningRate, ...this.moving]) : this.moving;
    for (const { name, shown } of settings) if (shown !== undefined) row[`setting/${name}`] = shown;
    return Object.assign(row, this.noted);
  }

  /**
   * Fixes a setting at a number from now on, and returns the setting. The name may be spelled as a flag: `learningRate`,
   * `learning-rate`, `--learning-rate`.
   */
  set(name: string, value: number): LiveSettingState {
    const { settings } = this.process;
    const known = Object.keys(settings).find((one) => isSameName(one, name));
    if (known === undefined) return this.refuseSetting(name);
    settings[known].set(value);
    return settings[known];
  }

  private refuseSetting(name: string): never {
    const { algorithm } = this.options;
    const names = Object.keys(this.process.settings);
    const fixed = Object.keys(algorithm.options).find((one) => isSameName(one, name));
    const why =
      fixed === undefined
        ? `${algorithm.name} has no setting ${name} at step ${this.steps}.`
        : `${fixed} of ${algorithm.name} is fixed for the whole run. Start a new run to change it.`;
    const near = fixed === undefined ? didYouMean(name, names) : "";
    const all = names.length ? ` Settings that can be changed: ${names.join(", ")}.` : "";
    return fail("run", `${why}${near || all}`);
  }

  /** An independent copy that continues from here. */
  fork(changes: Partial<RunOptions> = {}): Run {
    const copy = new Run({ ...this.options, ...changes });
    copy.restore(this.save());
    return copy;
  }

  save(): Snapshot {
    const { process, statistics, rounds, options } = this;
    return {
      rounds,
      metrics: { ...this.metrics },
      statistics: statistics.save(),
      history: this.history.save(),
      settings: save(process.settings),
      process: save(process.parts),
      ...(options.task?.save ? { task: options.task.save() } : {}),
    };
  }

  restore(from: Snapshot): void {
    const s = from as Record<string, Snapshot>;
    if (!s?.process) fail("restore", "not a checkpoint of a run. Pass the result of run.save().");
    restore(this.process.parts, s.process, "process");
    restore(this.process.settings, s.settings, "settings");
    this.statistics.restore(s.statistics);
    this.history.restore(s.history);
    if (this.options.task?.restore && s.task !== undefined) this.options.task.restore(s.task);
    this.rounds = s.rounds as number;
    this.metrics = { ...(s.metrics as Metrics) };
  }
}

/** A setting and the statistic that it follows. */
interface Followed {
  readonly name: string;
  readonly of: string;
}

const followedBy = ({ name, setting }: LiveSettingState): Followed[] =>
  typeof setting === "object" && "of" in setting && typeof setting.of === "string"
    ? [{ name, of: setting.of }]
    : [];
