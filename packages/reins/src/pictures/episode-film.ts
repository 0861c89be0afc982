import type { Columns, EnvSpec, Episode, PolicyInput, Rendering, VectorEnv } from "@reins/core";
import { policyInput } from "@reins/core/episodes";
import type { EvaluationObserver } from "@reins/core/evaluations";
import { EpisodeRecorder } from "@reins/core/loops";
import { fittingLabels } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";

/** Renderings of an environment in the forms that it supports. */
export interface Frame {
  /** Lines of text, for terminals. */
  readonly text?: string;
  /** Shapes, for image files. */
  readonly drawing?: Rendering;
}

/** Renderings of a recorded episode. */
export interface Frames {
  readonly frames: readonly Frame[];
  /** Steps between frames. */
  readonly every: number;
}

/** Longer recordings keep only every second frame, or every fourth, and so on. */
const most = { frames: 200, characters: 1 << 17, numbers: 1 << 21 } as const;
/** Maximum numbers of an observation that are recorded, to be shown as curves. */
const curves = 128;
/** Maximum steps of a recorded episode. */
const longest = 2000;

/**
 * Records the first episode of the first row of an evaluation: renderings, actions, rewards, and observations of up to {@link curves}
 * numbers. It only observes, so that the evaluation is the same without it, and its file has a bounded size.
 */
export class EpisodeFilm implements EvaluationObserver {
  /** Why nothing was recorded. */
  fault: string | undefined;
  private readonly recorder = new EpisodeRecorder();
  /** As text, so that their size is known. */
  private frames: string[] = [];
  private characters = 0;
  private every = 1;
  private result: Episode | undefined;
  /** Observations of each step, for value and action probabilities. */
  private views: PolicyInput[] = [];
  private seen = 0;
  /** The observation before the step, if it is small enough to be recorded. */
  private observed: { readonly observation: Tree } | undefined;
  private readonly thoughts: (views: readonly PolicyInput[]) => Columns;

  /** `thoughts` computes values and action probabilities; without it only the episode is recorded. */
  constructor(thoughts: (views: readonly PolicyInput[]) => Columns = () => ({})) {
    this.thoughts = thoughts;
  }

  before(env: VectorEnv): void {
    if (this.isOver) return;
    this.look(env);
    if (isSmall(env.observation)) this.observed = { observation: firstRow(env.observation) };
    if (this.recorder.steps % this.every !== 0) return;
    try {
      const frame: Frame = { text: env.render?.(0), drawing: env.picture?.(0) };
      if (frame.text !== undefined || frame.drawing !== undefined) this.add(JSON.stringify(frame, rounded));
      else if (!this.observed)
        this.fault = `it has neither picture() nor render(), and its observations have more than ${curves} numbers`;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  after(env: VectorEnv, action: Tree): void {
    if (this.isOver) return;
    this.recorder.add({ ...this.observed, action: firstRow(action), reward: firstRow(env.reward) }, "greedy");
    const [terminated, truncated] = [env.terminated.data[0] !== 0, env.truncated.data[0] !== 0];
    if (!terminated && !truncated && this.recorder.steps < longest) return;
    const info = {
      every: this.every,
      frames: this.frames.map((frame) => JSON.parse(frame) as Frame),
      ...labelsOf(env.spec),
    };
    const episode = this.recorder.finish({ terminated, truncated, role: "greedy", info });
    this.result = { ...episode, columns: { ...episode.columns, ...this.thoughts(this.views) } };
  }

  /** Records the current observation; large observations are not recorded. */
  private look(env: VectorEnv): void {
    if (this.seen > most.numbers) return;
    const view = firstRow(policyInput(env) as Tree) as PolicyInput;
    this.views.push(view);
    this.seen += leaves(view as Tree).reduce((sum, { size }) => sum + size, 0);
    if (this.seen > most.numbers) this.views = [];
  }

  /** The episode; undefined while it is in progress, and if it could not be rendered. */
  get episode(): Episode | undefined {
    return this.result;
  }

  private get isOver(): boolean {
    return this.result !== undefined || this.fault !== undefined;
  }

  private add(frame: string): void {
    if (frame.length > most.characters) {
      this.fault = `one frame takes ${frame.length} characters`;
      return;
    }
    this.frames.push(frame);
    this.characters += frame.length;
    while (
      this.frames.length > 1 &&
      (this.frames.length > most.frames || this.characters > most.characters)
    ) {
      this.frames = this.frames.filter((_, i) => i % 2 === 0);
      this.characters = this.frames.reduce((sum, { length }) => sum + length, 0);
      this.every *= 2;
    }
  }
}

/** The frames of a recorded episode; undefined if there are none. */
export function framesOf({ info }: Episode): Frames | undefined {
  const { frames, every } = (info ?? {}) as Partial<Frames>;
  const isFrame = (frame: unknown) =>
    typeof frame === "object" && frame !== null && !("text" in frame && typeof frame.text !== "string");
  return Array.isArray(frames) && frames.length && frames.every(isFrame) && typeof every === "number"
    ? { frames, every }
    : undefined;
}

/** Rounds to hundredths of a pixel. */
const rounded = (_: string, x: unknown) => (typeof x === "number" ? Math.round(100 * x) / 100 : x);

/** The labels of a spec that fit its spaces. Discrete actions are named by their numbers from 0. */
function labelsOf({ observation, action, labels }: EnvSpec) {
  const isShifted = action.kind === "discrete" && action.start !== 0;
  const fitting = {
    observation: fittingLabels(observation, labels?.observation),
    action: isShifted ? undefined : fittingLabels(action, labels?.action),
  };
  return fitting.observation || fitting.action ? { labels: fitting } : {};
}

/** Whether an observation has few enough numbers for curves. */
const isSmall = (seen: Tree): boolean =>
  leaves(seen).reduce((sum, { size, shape }) => sum + size / shape[0], 0) <= curves;

/** A copy of the first row of some columns. */
function firstRow<T extends Tree>(columns: T): T {
  return treeMap((column: Tensor) => {
    const { data, shape, dtype } = column;
    return tensor(data.slice(0, column.size / shape[0]), { shape: [1, ...shape.slice(1)], dtype });
  }, columns) as T;
}
