import { box, fail, type Rendering } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { modelText } from "./model-text.ts";
import { type Simulation, simulationOf } from "./simulation.ts";
import type { MujocoTask } from "./task.ts";
import { mujocoPicture, mujocoText } from "./view.ts";

/**
 * Rows of a MuJoCo task, as in Gymnasium's v5. They share one simulation: everything that a row's next step
 * depends on is in `state`, so that saving needs nothing from the engine.
 */
export class MujocoEnv extends BatchedEnv {
  protected readonly state: { readonly physics: Float64Array; readonly progress: Float64Array };
  private readonly task: MujocoTask;
  private readonly xml: string;
  private readonly width: number;
  private readonly controls: number;
  private shared: Simulation | undefined;

  constructor(task: MujocoTask, options: BatchedOptions = {}) {
    const { id, maxSteps, solvedAt, xmlFile } = task;
    const xml = xmlFile === undefined ? task.model() : modelText(id, xmlFile);
    // The default model's dimensions are known without compiling it: its spaces are available where MuJoCo is not
    // installed, too.
    const own = xmlFile === undefined ? undefined : simulationOf(id, xml);
    const { nq, nv } = own ?? task.dimensions;
    const width = task.size(own ?? task.dimensions);
    const [low, high] = own ? rangesOf(id, own) : [-task.motors.strength, task.motors.strength];
    const controls = own ? own.model.nu : task.motors.count;
    if (own) admitModel(task, own);
    super(
      {
        id,
        observation: box([width]),
        action: box([controls], low, high),
        // Another model has other joints.
        ...(own ? {} : { labels: task.labels }),
        maxSteps,
        ...(solvedAt === undefined ? {} : { solvedAt }),
      },
      options,
    );
    this.task = task;
    this.xml = xml;
    this.width = width;
    this.controls = controls;
    this.shared = own;
    this.state = {
      physics: new Float64Array(this.rows * (own?.width ?? 1 + nq + 2 * nv)),
      progress: new Float64Array(this.rows),
    };
  }

  protected begin(row: number): void {
    const { task } = this;
    const { physics, progress } = this.state;
    const now = this.simulation();
    now.reset();
    task.begin(now, this.random[row]);
    now.forward();
    progress[row] = task.progress?.(now) ?? 0;
    now.write(physics, row);
  }

  protected observe(row: number): void {
    this.task.observe(this.simulation(), this.observation.data as Float32Array, row * this.width);
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { task, controls, width } = this;
    const { physics, progress } = this.state;
    const now = this.simulation();
    const actions = action.data as Float32Array;
    const observation = this.observation.data as Float32Array;
    const reward = this.reward.data;
    const seconds = now.timestep * task.frameSkip;
    for (let row = from; row < to; row++) {
      now.read(physics, row);
      const { ctrl } = now.arrays;
      for (let i = 0; i < controls; i++) ctrl[i] = actions[row * controls + i];
      now.advance(task.frameSkip);
      if (task.forces) now.measureForces();
      const before = progress[row];
      const after = task.progress?.(now) ?? 0;
      progress[row] = after;
      reward[row] = task.reward(now, (after - before) / seconds);
      task.observe(now, observation, row * width);
      if (task.ends?.(now)) this.terminated.data[row] = 1;
      now.write(physics, row);
    }
  }

  picture(row: number): Rendering {
    return mujocoPicture(this.placed(row), this.task.view);
  }

  render(row: number): string {
    return mujocoText(this.placed(row), this.task.view);
  }

  /** The simulation with a row's state, and all derived quantities. */
  private placed(row: number): Simulation {
    const now = this.simulation();
    now.read(this.state.physics, row);
    now.place();
    return now;
  }

  private simulation(): Simulation {
    this.shared ??= simulationOf(this.spec.id, this.xml);
    return this.shared;
  }
}

/** Action bounds of a model. */
function rangesOf(id: string, { model }: Simulation): readonly [low: number[], high: number[]] {
  const ranges = [...model.actuator_ctrlrange];
  if (ranges.length === 0) fail(id, "the model has no actuators, so there are no actions.");
  return [ranges.filter((_, i) => i % 2 === 0), ranges.filter((_, i) => i % 2 === 1)];
}

/** Fails if a model lacks what the task reads. */
function admitModel(task: MujocoTask, own: Simulation): void {
  const { id, readsAll } = task;
  const least = readsAll ? task.dimensions : { nq: 1, nv: 1, nbody: 2 };
  const lacks = (["nq", "nv", "nbody"] as const).filter((name) => own[name] < least[name]);
  if (lacks.length)
    fail(
      id,
      `this model is too small for the task: ${lacks.map((n) => `${own[n]} for ${n}, at least ${least[n]}`).join("; ")}. Use a model with the structure of the default one.`,
    );
  const out = new Float32Array(task.size(own));
  own.reset();
  task.begin(own, defaultRng(0));
  own.forward();
  task.observe(own, out, 0);
  if (!out.every(Number.isFinite) || !Number.isFinite(task.reward(own, 0)))
    fail(
      id,
      "observation or reward is NaN: the model lacks a body, joint or site that the task reads. Use a model with the structure of the default one.",
    );
}
