import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";

/** A compiled model, with the fields that environments read. Arrays are views of the engine's memory. */
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

/** The data of a model. Each property read creates a new view of the engine's memory, so it is read once and kept. */
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

/** MuJoCo's functions that environments call. */
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
 * Loads MuJoCo, once: WebAssembly of this size can only be loaded asynchronously. `train`, `load` and the command
 * line wait for it; a program that creates environments itself calls `await loadMujoco()` first. A web page passes
 * the package's export: `import load from "@mujoco/mujoco"; await loadMujoco(load)`.
 */
export function loadMujoco(load?: () => Promise<unknown>): Promise<void> {
  loading ??= begin(load).then(
    (loaded) => {
      engine = loaded;
    },
    (error) => {
      // Another attempt may succeed.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function begin(load: () => Promise<unknown> = fromPackage): Promise<Engine> {
  const loaded = (await load()) as Partial<Engine> | undefined;
  if (typeof loaded?.MjModel?.from_xml_string !== "function")
    fail("MuJoCo", `expected the default export of @mujoco/mujoco, got ${describeValue(loaded)}.`);
  return loaded as Engine;
}

/**
 * The name is not a literal in the import: bundlers would emit the engine as a separate file, which single-file
 * workers cannot load.
 */
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
    fail("MuJoCo", `pass it on a web page: import load from "${name}"; await loadMujoco(load)`);
  throw error;
}

/** The engine, which must have been loaded. */
export function loadedEngine(id: string): Engine {
  return engine ?? fail(id, "MuJoCo is not loaded. Call await loadMujoco() before the first reset().");
}
