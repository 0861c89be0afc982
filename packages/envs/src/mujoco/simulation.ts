import { fail } from "@reins/core";
import { type EngineData, type EngineModel, loadedEngine } from "./engine.ts";

/** Sizes of a model, by MuJoCo's names. */
export interface Dimensions {
  readonly nq: number;
  readonly nv: number;
  readonly nbody: number;
}

const compiled = new Map<string, Simulation>();

/**
 * The simulation of a model, shared by all environments with the same model text: a simulation takes 13 MB, its
 * state from one step to the next is a few dozen numbers, and each row of each environment keeps its own.
 */
export function simulationOf(id: string, xml: string): Simulation {
  let known = compiled.get(xml);
  if (!known) {
    known = new Simulation(id, xml);
    compiled.set(xml, known);
  }
  return known;
}

/** Views of what MuJoCo computes. */
const arraysOf = (data: EngineData) => ({
  qpos: data.qpos,
  qvel: data.qvel,
  act: data.act,
  warmstart: data.qacc_warmstart,
  ctrl: data.ctrl,
  xpos: data.xpos,
  xipos: data.xipos,
  siteXpos: data.site_xpos,
  geomXpos: data.geom_xpos,
  geomXmat: data.geom_xmat,
  cinert: data.cinert,
  cvel: data.cvel,
  cfrcExt: data.cfrc_ext,
  qfrcActuator: data.qfrc_actuator,
  qfrcConstraint: data.qfrc_constraint,
});

/**
 * A compiled model with one set of data. A row's turn begins with `read` of its state or with `reset`, and ends
 * with `write`. In between `arrays` hold MuJoCo's results for it. As in Gymnasium, quantities derived from
 * positions and velocities are those at the beginning of the last physics step.
 */
export class Simulation implements Dimensions {
  readonly model: EngineModel;
  readonly nq: number;
  readonly nv: number;
  readonly nbody: number;
  readonly timestep: number;
  /** Initial joint positions, without noise. */
  readonly start: Float64Array;
  /** Fraction of the total mass of each body. */
  readonly shares: Float64Array;
  /**
   * Numbers of a row's state: time, positions, velocities, activations and the last accelerations, which
   * warm-start the solver.
   */
  readonly width: number;
  /** MuJoCo's results, by its names; valid until the next call. */
  arrays: Readonly<ReturnType<typeof arraysOf>>;

  private readonly data: EngineData;
  private readonly engine;

  constructor(id: string, xml: string) {
    this.engine = loadedEngine(id);
    const model = compile(id, xml);
    this.model = model;
    this.nq = model.nq;
    this.nv = model.nv;
    this.nbody = model.nbody;
    this.timestep = model.opt.timestep;
    this.width = 1 + model.nq + 2 * model.nv + model.na;
    this.start = Float64Array.from(model.qpos0);
    const mass = Float64Array.from(model.body_mass);
    const whole = mass.reduce((a, b) => a + b, 0);
    this.shares = mass.map((m) => m / whole);
    this.data = new this.engine.MjData(model);
    this.arrays = arraysOf(this.data);
  }

  /** Resets everything to the model's values, at rest. */
  reset(): void {
    this.engine.mj_resetData(this.model, this.data);
    this.renew();
  }

  /** Computes everything that depends on positions and velocities. */
  forward(): void {
    this.engine.mj_forward(this.model, this.data);
    this.renew();
  }

  /** Runs physics steps with the current controls. */
  advance(steps: number): void {
    const { engine, model, data } = this;
    for (let i = 0; i < steps; i++) engine.mj_step(model, data);
    this.renew();
  }

  /** Computes contact forces, which a step leaves out. */
  measureForces(): void {
    this.engine.mj_rnePostConstraint(this.model, this.data);
  }

  /** Computes positions of bodies and geoms only. */
  place(): void {
    this.engine.mj_kinematics(this.model, this.data);
    this.renew();
  }

  /** Loads a row's state. */
  read(states: Float64Array, row: number): void {
    this.renew();
    const { qpos, qvel, act, warmstart } = this.arrays;
    let at = row * this.width;
    this.data.time = states[at++];
    for (let i = 0; i < qpos.length; i++) qpos[i] = states[at++];
    for (let i = 0; i < qvel.length; i++) qvel[i] = states[at++];
    for (let i = 0; i < warmstart.length; i++) warmstart[i] = states[at++];
    for (let i = 0; i < act.length; i++) act[i] = states[at++];
  }

  /** Stores a row's state. */
  write(states: Float64Array, row: number): void {
    const { qpos, qvel, act, warmstart } = this.arrays;
    let at = row * this.width;
    states[at++] = this.data.time;
    for (let i = 0; i < qpos.length; i++) states[at++] = qpos[i];
    for (let i = 0; i < qvel.length; i++) states[at++] = qvel[i];
    for (let i = 0; i < warmstart.length; i++) states[at++] = warmstart[i];
    for (let i = 0; i < act.length; i++) states[at++] = act[i];
  }

  /**
   * Views become invalid when the engine's memory grows, as it does for another model: an invalid one has no
   * elements.
   */
  private renew(): void {
    if (this.arrays.xpos.length === 0) this.arrays = arraysOf(this.data);
  }
}

/** Compiles a model, or fails with MuJoCo's message. */
function compile(id: string, xml: string): EngineModel {
  try {
    return loadedEngine(id).MjModel.from_xml_string(xml);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return fail(
      id,
      `MuJoCo rejects the model. ${words.replace(/^MuJoCo Error: Loading error: /, "").trim()}`,
    );
  }
}
