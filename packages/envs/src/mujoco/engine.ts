import { fail, said } from "@reins/core";

/** A compiled model, as far as environments read it. Arrays are views of the engine's memory. */
export interface EngineModel {
  readonly nq: number;
  readonly nv: number;
  readonly nu: number;
  readonly na: number;
  readonly nbody: number;
  readonly ngeom: number;
  readonly opt: { readonly timestep: number };
  readonly qpos0: Float64Array;
  readonly body_mass: Float64Array;
  readonly geom_type: Int32Array;
  readonly geom_bodyid: Int32Array;
  readonly geom_size: Float64Array;
  readonly actuator_ctrlrange: Float64Array;
}

/** What is computed of a model. Each array is a fresh view of the engine's memory, so it is asked for once and kept. */
export interface EngineData {
  time: number;
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly act: Float64Array;
  readonly ctrl: Float64Array;
  readonly qacc_warmstart: Float64Array;
  readonly xpos: Float64Array;
  readonly xipos: Float64Array;
  readonly site_xpos: Float64Array;
  readonly geom_xpos: Float64Array;
  readonly geom_xmat: Float64Array;
  readonly cinert: Float64Array;
  readonly cvel: Float64Array;
  readonly cfrc_ext: Float64Array;
  readonly qfrc_actuator: Float64Array;
  readonly qfrc_constraint: Float64Array;
}

/** MuJoCo's own functions, as far as environments call them. */
export interface Engine {
  readonly MjModel: { from_xml_string(xml: string): EngineModel };
  readonly MjData: new (model: EngineModel) => EngineData;
  mj_resetData(model: EngineModel, data: EngineData): void;
  mj_forward(model: EngineModel, data: EngineData): void;
  mj_kinematics(model: EngineModel, data: EngineData): void;
  mj_step(model: EngineModel, data: EngineData): void;
  mj_rnePostConstraint(model: EngineModel, data: EngineData): void;
  mj_versionString(): string;
}

let engine: Engine | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads MuJoCo, once for all: WebAssembly of this size can only be loaded asynchronously. `train`, `load` and the command line wait for
 * it themselves; a program that makes environments of its own writes `await loadMujoco()` first. A page gives what the package exports:
 * `import load from "@mujoco/mujoco"; await loadMujoco(load)`.
 */
export function loadMujoco(load?: () => Promise<unknown>): Promise<void> {
  loading ??= begin(load).then(
    (loaded) => {
      engine = loaded;
    },
    (error) => {
      // Another try may find what this one did not.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function begin(load: () => Promise<unknown> = fromPackage): Promise<Engine> {
  const loaded = (await load()) as Partial<Engine> | undefined;
  if (typeof loaded?.MjModel?.from_xml_string !== "function")
    fail("MuJoCo", `what was loaded is ${said(loaded)}. Give the default export of @mujoco/mujoco.`);
  return loaded as Engine;
}

/** Not written where it is imported: bundlers would put the engine into a file of its own, which workers of one file cannot have. */
const name = "@mujoco/mujoco";

async function fromPackage(): Promise<unknown> {
  const { default: load }: Package = await import(/* @vite-ignore */ name).catch(notFound);
  return load();
}

interface Package {
  readonly default: () => Promise<unknown>;
}

function notFound(error: unknown): never {
  if (/^(ERR_)?MODULE_NOT_FOUND$/.test(`${(error as { code?: unknown } | null)?.code}`))
    fail("MuJoCo", `${name} is not installed. Run: npm install ${name}`);
  if (!globalThis.process?.versions?.node)
    fail("MuJoCo", `a page gives it: import load from "${name}"; await loadMujoco(load)`);
  throw error;
}

/** The engine, which must have been loaded by now. */
export function loadedEngine(id: string): Engine {
  return engine ?? fail(id, "MuJoCo is not loaded yet. Before its first reset() write: await loadMujoco()");
}
