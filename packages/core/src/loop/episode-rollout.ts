import { type Tensor, type Tree, tensor, treeMap, zeros } from "@reins/tensor";
import type { Env } from "../env.ts";
import type { Episode } from "../episode.ts";
import { fail } from "../errors.ts";
import type { ActingPolicy, ActionResult } from "../policy.ts";
import type { Rollout, RolloutInput } from "../rollout.ts";
import type { Snapshot } from "../snapshot.ts";
import { columns as columnsOf } from "../spaces/layout.ts";
import { choiceSizes, maskFault, maskSize } from "../spaces/mask.ts";
import { show } from "../spaces/show.ts";
import { read, write } from "../spaces/write.ts";
import type { TaskItem } from "../task.ts";
import { Actor } from "./actor.ts";
import { EpisodeRecorder } from "./recorder.ts";

/** Settings of {@link EpisodeRollout}. */
export interface EpisodeRolloutOptions extends RolloutInput<ActingPolicy> {
  /** Environments, one per concurrent episode. */
  readonly envs: readonly Env[];
}

/** Plays the task's problems to the end, many at a time, and returns whole episodes; those of one problem form a group. */
export class EpisodeRollout implements Rollout<readonly Episode[]> {
  steps = 0;
  private batches = 0;
  private readonly options: EpisodeRolloutOptions;
  private readonly view: { observation: Tree; first: Tensor; mask?: Tensor };
  private readonly actor: Actor;

  constructor(options: EpisodeRolloutOptions) {
    this.options = options;
    const { envs, policy, weights, key } = options;
    const rows = envs.length;
    const { observation, action } = envs[0].spec;
    const mask = envs[0].mask && zeros([rows, maskSize(action)], "bool");
    this.view = {
      observation: columnsOf(observation, rows),
      first: zeros([rows], "bool"),
      ...(mask ? { mask } : {}),
    };
    this.actor = new Actor({ policy, weights, view: this.view, rows, key });
  }

  next(): readonly Episode[] {
    const { envs, task, statistics } = this.options;
    const queue: Play[] = task.next(statistics).flatMap((problem, p) =>
      Array.from({ length: problem.groupSize }, () => ({
        problem,
        group: problem.group ?? `${this.batches}/${p}`,
      })),
    );
    this.batches++;
    const done: Episode[] = [];
    const waiting = queue.map((_, i) => i);
    const rows: (Underway | undefined)[] = envs.map(() => undefined);
    const fill = () => {
      for (let r = 0; r < rows.length && waiting.length; r++)
        if (!rows[r]) rows[r] = this.begin(r, queue[waiting[0]], waiting.shift()!);
    };
    for (fill(); rows.some((r) => r); fill()) {
      const acted = this.actor.act();
      for (let r = 0; r < rows.length; r++) {
        const playing = rows[r];
        if (!playing) continue;
        const episode = this.advance(r, playing, acted);
        if (episode) {
          done[playing.order] = episode;
          rows[r] = undefined;
        }
      }
    }
    return done;
  }

  private begin(row: number, play: Play, order: number): Underway {
    const env = this.options.envs[row];
    const { seed, context } = play.problem;
    const { observation } = env.reset({ seed, context });
    write(env.spec.observation, this.view.observation, row, observation);
    this.view.first.data[row] = 1;
    this.look(row);
    this.actor.forget(row);
    return { play, order, recorder: new EpisodeRecorder() };
  }

  /** Reads the allowed actions. */
  private look(row: number): void {
    const { mask } = this.view;
    if (!mask) return;
    const env = this.options.envs[row];
    const { spec } = env;
    const given = Array.from(env.mask!(), Boolean);
    const width = mask.shape[1];
    if (given.length !== width)
      fail(spec.id, `mask() returned ${given.length} entries; ${show(spec.action)} needs ${width}.`);
    const fault = maskFault(choiceSizes(spec.action), given);
    if (fault) fail(spec.id, `mask() allows ${fault}. End the episode instead.`);
    for (let i = 0; i < width; i++) mask.data[row * width + i] = given[i] ? 1 : 0;
  }

  private advance(row: number, playing: Underway, acted: ActionResult): Episode | undefined {
    const { envs, version } = this.options;
    const env = envs[row];
    const own = (t: Tensor) => rowOf(t, row);
    const result = env.step(read(env.spec.action, acted.action, row));
    const reward = typeof result.reward === "number" ? [result.reward] : Array.from(result.reward);
    const odd = reward.find((x) => !Number.isFinite(Math.fround(x)));
    if (odd !== undefined) fail(env.spec.id, `the reward is ${odd}; it must be a finite number.`);
    playing.recorder.add(
      {
        observation: treeMap(own, this.view.observation),
        action: treeMap(own, acted.action),
        ...(this.view.mask ? { mask: own(this.view.mask) } : {}),
        ...(acted.logProb ? { logProb: own(acted.logProb) } : {}),
        ...(acted.value ? { value: own(acted.value) } : {}),
        ...(acted.trace ? { trace: treeMap(own, acted.trace) } : {}),
        reward: reward.length === 1 ? reward[0] : tensor([reward]),
      },
      "policy",
      version?.() ?? 0,
    );
    this.steps++;
    this.view.first.data[row] = 0;
    write(env.spec.observation, this.view.observation, row, result.observation);
    // The time limit applies where the environment does not truncate by itself.
    const late = playing.recorder.steps >= (env.spec.maxSteps ?? Number.POSITIVE_INFINITY);
    if (!result.terminated && !result.truncated && !late) {
      this.look(row);
      return undefined;
    }
    const { problem, group } = playing.play;
    return playing.recorder.finish({
      terminated: result.terminated,
      truncated: result.truncated || late,
      task: problem.key,
      context: problem.context,
      group,
      links: problem.from?.map((episode) => ({ kind: "proposal", episode })),
      info: result.info,
    });
  }

  save(): Snapshot {
    const { envs } = this.options;
    return {
      steps: this.steps,
      batches: this.batches,
      actor: this.actor.save(),
      // Between batches no episode is in progress, but environments continue their random streams.
      envs: envs.map((e) => e.save?.() ?? null),
    };
  }

  restore(from: Snapshot): void {
    const s = from as { steps: number; batches: number; actor: Snapshot; envs: Snapshot[] };
    this.steps = s.steps;
    this.batches = s.batches;
    this.actor.restore(s.actor);
    this.options.envs.forEach((e, i) => s.envs[i] !== null && e.restore?.(s.envs[i]));
  }
}

/** One row of a column, as a column with one row. */
function rowOf(t: Tensor, row: number): Tensor {
  const size = t.size / t.shape[0];
  return tensor(t.data.slice(row * size, (row + 1) * size), {
    shape: [1, ...t.shape.slice(1)],
    dtype: t.dtype,
  });
}

interface Play {
  readonly problem: TaskItem;
  readonly group: string;
}

/** An episode in progress. */
interface Underway {
  readonly play: Play;
  readonly order: number;
  readonly recorder: EpisodeRecorder;
}
