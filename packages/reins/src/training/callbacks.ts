import { type EvaluationResult, fail, type Metrics, type Run, type VectorEnv } from "@reins/core";
import { checkKeys, describeValue } from "@reins/core/errors";

/** What a callback can do with its run. */
export interface Control {
  readonly run: Run;
  /** Environment steps taken. */
  readonly steps: number;
  /** Metrics of the last round. */
  readonly metrics: Metrics;
  /** Logs a custom metric, such as `"mine/height"`, beside the run's own. */
  log(name: string, value: number): void;
  /** Fixes a setting of the algorithm at a value from now on. */
  set(setting: string, value: number): void;
  /** Saves the run after this round: a checkpoint, if the environment supports it, and the agent. */
  save(): void;
  /** Ends the run after this round; it can be resumed. */
  stop(): void;
}

/** A finished training episode. */
export interface EpisodeEvent {
  /** Row of the environment. */
  readonly row: number;
  /** Undiscounted return, before reward wrappers. */
  readonly return: number;
  readonly length: number;
  /** False if the episode was truncated. */
  readonly terminated: boolean;
}

/** Callbacks during training; all are optional. Returned promises are awaited at the end of the round. */
export interface Callbacks {
  /** After every step of all environments, whose columns are passed. This is the hot path: keep it short. */
  onStep?(env: VectorEnv, control: Control): void;
  /** After every episode. */
  onEpisode?(episode: EpisodeEvent, control: Control): void;
  /** After every round: a rollout and its updates for on-policy methods, some hundred steps and their updates for others. */
  onUpdate?(metrics: Metrics, control: Control): void;
  /** After every evaluation, during training (`evalEvery`) and at its end. */
  onEvaluation?(evaluated: EvaluationResult, control: Control): void;
}

const hooks = Object.keys({ onStep: true, onEpisode: true, onUpdate: true, onEvaluation: true } satisfies {
  readonly [name in keyof Required<Callbacks>]: true;
});

/** Refuses unknown callback names, and values that are not functions. */
export function checkCallbacks(what: string, callbacks: Callbacks | readonly Callbacks[]): void {
  for (const one of [callbacks].flat()) {
    checkKeys(`${what}: callbacks`, one, hooks);
    for (const [name, hook] of Object.entries(one))
      if (hook !== undefined && typeof hook !== "function")
        fail(
          what,
          `${name} is ${describeValue(hook)}; it must be a function: callbacks: { ${name}: (…) => … }.`,
        );
  }
}

/** Combines callbacks, and gives them control over a run that is attached later. */
export class Listeners {
  private readonly all: readonly Callbacks[];
  private control: Control | undefined;
  private working: Promise<void>[] = [];
  private failure: { readonly error: unknown } | undefined;
  /** Whether a callback requested a stop. */
  stopping = false;
  saving = false;

  constructor(all: Callbacks | readonly Callbacks[] = []) {
    this.all = "length" in all ? all : [all];
  }

  /** Whether a callback observes steps or episodes. */
  get watchesEnv(): boolean {
    return this.all.some((c) => c.onStep || c.onEpisode);
  }

  get watchesSteps(): boolean {
    return this.all.some((c) => c.onStep);
  }

  /** Sets the run that callbacks control. */
  attach(run: Run): void {
    const listeners = this;
    this.control = {
      run,
      get steps() {
        return run.steps;
      },
      get metrics() {
        return run.metrics;
      },
      log(name, value) {
        checkNote(run, name, value);
        run.noted[name] = value;
      },
      set: (name, value) => run.set(name, value),
      save() {
        listeners.saving = true;
      },
      stop() {
        listeners.stopping = true;
      },
    };
  }

  step(env: VectorEnv): void {
    if (this.control) for (const c of this.all) this.follow(c.onStep?.(env, this.control));
  }

  episode(event: EpisodeEvent): void {
    if (this.control) for (const c of this.all) this.follow(c.onEpisode?.(event, this.control));
  }

  update({ metrics }: Run): void {
    if (this.control) for (const c of this.all) this.follow(c.onUpdate?.(metrics, this.control));
  }

  evaluation(evaluated: EvaluationResult): void {
    if (this.control) for (const c of this.all) this.follow(c.onEvaluation?.(evaluated, this.control));
  }

  /** Awaits pending callbacks and throws their error; undefined if none is pending. */
  settled(): Promise<void> | undefined {
    if (this.working.length === 0) return undefined;
    const { working } = this;
    this.working = [];
    return Promise.all(working).then(() => {
      if (this.failure) throw this.failure.error;
    });
  }

  /** Tracks the result of a callback: an unhandled rejection would end the process before the run could report it. */
  follow(answer: unknown): void {
    if (!(answer instanceof Promise)) return;
    const failed = (error: unknown) => {
      this.failure ??= { error };
    };
    this.working.push(answer.then(() => {}, failed));
  }
}

/** Refuses values that are not numbers, and names that the run measures itself. */
function checkNote(run: Run, name: string, value: number): void {
  if (typeof name !== "string" || !name)
    fail("log", `the name is ${describeValue(name)}. Pass a name and a number: log("mine/height", 1.5).`);
  if (typeof value !== "number") fail("log", `${name} is ${describeValue(value)}; it must be a number.`);
  if (name === "step" || Object.hasOwn(run.metrics, name))
    fail("log", `${name} is a metric of the run. Use another name, such as mine/${name}.`);
}
