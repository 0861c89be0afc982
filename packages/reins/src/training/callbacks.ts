import { checkKeys, type Evaluated, fail, type Metrics, type Run, said, type VectorEnv } from "@reins/core";

/** What a callback may do to the run that calls it. */
export interface Control {
  readonly run: Run;
  /** Environment steps taken. */
  readonly steps: number;
  /** What the last round measured. */
  readonly metrics: Metrics;
  /** A number of your own, by a name of your own (`"mine/height"`): it stands beside the others in the rows that are kept. */
  log(name: string, value: number): void;
  /** Fixes a setting of the algorithm at a number from now on. */
  set(setting: string, value: number): void;
  /** Keeps the run as it is after this round: a checkpoint, where there can be one, and the agent. */
  save(): void;
  /** Ends the run after this round; it can be resumed. */
  stop(): void;
}

/** An episode that has ended in training. */
export interface EpisodeEvent {
  /** Which copy of the environment it was in. */
  readonly row: number;
  /** Its return as the environment paid it, unscaled. */
  readonly return: number;
  readonly length: number;
  /** False if it was only cut off. */
  readonly terminated: boolean;
}

/** What is called while an agent is trained, each with what the run can be told. Give what you need. Promises are waited for when the round ends. */
export interface Callbacks {
  /** After every step of the environments, which are all there in columns. It is on the hot path: keep it short. */
  onStep?(env: VectorEnv, control: Control): void;
  /** After every episode that ended. */
  onEpisode?(episode: EpisodeEvent, control: Control): void;
  /** After every round: of an on-policy method one batch and what was learned from it, of others some hundred steps and their updates. */
  onUpdate?(metrics: Metrics, control: Control): void;
  /** After every evaluation: those on the way (`evalEvery`) and the last. */
  onEvaluation?(evaluated: Evaluated, control: Control): void;
}

const hooks = Object.keys({ onStep: true, onEpisode: true, onUpdate: true, onEvaluation: true } satisfies {
  readonly [name in keyof Required<Callbacks>]: true;
});

/** Refuses names that nobody calls, and what is no function. */
export function checkCallbacks(what: string, callbacks: Callbacks | readonly Callbacks[]): void {
  for (const one of [callbacks].flat()) {
    checkKeys(`${what}: callbacks`, one, hooks);
    for (const [name, hook] of Object.entries(one))
      if (hook !== undefined && typeof hook !== "function")
        fail(what, `${name} is ${said(hook)}; it must be a function: callbacks: { ${name}: (…) => … }.`);
  }
}

/** Several callbacks as one, which is called with control over a run that begins later. */
export class Listeners {
  private readonly all: readonly Callbacks[];
  private control: Control | undefined;
  private working: Promise<void>[] = [];
  private failure: { readonly error: unknown } | undefined;
  /** Whether somebody wished it. */
  stopping = false;
  saving = false;

  constructor(all: Callbacks | readonly Callbacks[] = []) {
    this.all = "length" in all ? all : [all];
  }

  /** Whether anybody looks at steps or episodes. */
  get watchesEnv(): boolean {
    return this.all.some((c) => c.onStep || c.onEpisode);
  }

  get watchesSteps(): boolean {
    return this.all.some((c) => c.onStep);
  }

  /** From now on this is the run. */
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

  evaluation(evaluated: Evaluated): void {
    if (this.control) for (const c of this.all) this.follow(c.onEvaluation?.(evaluated, this.control));
  }

  /** Waits for callbacks that are still at work, and fails as they did; undefined if there are none. */
  settled(): Promise<void> | undefined {
    if (this.working.length === 0) return undefined;
    const { working } = this;
    this.working = [];
    return Promise.all(working).then(() => {
      if (this.failure) throw this.failure.error;
    });
  }

  /** Takes care of what a callback gave back: a promise that fails before anybody waits for it would end the process, and the run could not say why. */
  follow(answer: unknown): void {
    if (!(answer instanceof Promise)) return;
    const failed = (error: unknown) => {
      this.failure ??= { error };
    };
    this.working.push(answer.then(() => {}, failed));
  }
}

/** Refuses what is no number, and names that would hide what the run measures itself. */
function checkNote(run: Run, name: string, value: number): void {
  if (typeof name !== "string" || !name)
    fail("log", `it takes a name and a number, as in log("mine/height", 1.5); the name is ${said(name)}.`);
  if (typeof value !== "number") fail("log", `${name} is ${said(value)}; it must be a number.`);
  if (name === "step" || Object.hasOwn(run.metrics, name))
    fail("log", `${name} is measured by the run. Choose a name of your own, such as mine/${name}.`);
}
