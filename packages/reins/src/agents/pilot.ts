import { type EnvSpec, fail, type Saved, type Value, type VectorEnv } from "@reins/core";
import {
  checkValue,
  choiceSizes,
  columns,
  maskFault,
  maskSize,
  readValue,
  showSpace,
  writeValue,
} from "@reins/core/spaces";
import { type Tensor, type Tree, zeros } from "@reins/tensor";

/** Acts in an environment: chooses and takes one step in every row, and resets. It saves the policy's recurrent state. */
export interface Decider extends Saved {
  step(): void;
  reset(): void;
}

/** The allowed actions: an entry (0 or 1, or a boolean) for each. */
export type Mask = ArrayLike<number | boolean>;

/**
 * A mask, or a record that holds it. In games with several policies, `agent` is the agent that acts: its slot or its
 * name.
 */
export type Allowed =
  | Mask
  | { readonly mask?: Mask | undefined; readonly agent?: number | string | undefined };

/** Options of a pilot. */
export interface PilotOptions {
  readonly spec: EnvSpec;
  /** Applies the wrappers of training to an environment. */
  wrap(env: VectorEnv): VectorEnv;
  /** Whether actions may be masked. */
  readonly masked: boolean;
  /** The slot of the agent that acts; undefined if all agents have one policy. */
  readonly slot?: number | undefined;
  decide(env: VectorEnv): Decider;
}

/** `act` and `forget` for one observation at a time; a mask is required if `needsMask` returns true. */
export function pilotsFor({
  needsMask,
  ...options
}: Omit<PilotOptions, "masked" | "slot"> & { needsMask(): boolean }): {
  act(observation: Value, allowed?: Allowed): Value;
  forget(): void;
} {
  /** By slot: each agent has its own recurrent state. */
  const pilots = new Map<number | undefined, Pilot>();
  return {
    act(observation, allowed) {
      const { mask, agent } = partsOf(allowed);
      const slot = slotOf(options.spec, agent);
      let pilot = pilots.get(slot);
      const masked = mask !== undefined;
      if (!masked && needsMask())
        fail(
          "act",
          `${options.spec.id} masks some actions. Pass the mask of allowed actions: act(observation, env.mask()).`,
        );
      // Calls with and without a mask belong to one episode.
      if (!pilot || (masked && !pilot.masked))
        pilots.set(slot, (pilot = new Pilot({ ...options, masked, slot }, pilot)));
      return pilot.act(observation, mask);
    },
    forget() {
      for (const pilot of pilots.values()) pilot.forget();
    },
  };
}

const partsOf = (allowed: Allowed = {}): Exclude<Allowed, Mask> =>
  "length" in allowed ? { mask: allowed } : allowed;

/** The slot of an agent; undefined if none is named, and all agents have one policy. */
function slotOf({ id, agents }: EnvSpec, agent: number | string | undefined): number | undefined {
  const names = agents?.names ?? [];
  if (agent === undefined) {
    if (new Set(agents?.policies).size < 2) return undefined;
    return fail(
      "act",
      `${id} has several policies. Name the agent that acts, one of ${names.join(", ")}: act(observation, { agent: ${JSON.stringify(names[0])} }).`,
    );
  }
  const slot = typeof agent === "number" ? agent : names.indexOf(agent);
  if (names[slot] !== undefined) return slot;
  return fail(
    "act",
    names.length
      ? `agent ${JSON.stringify(agent)} does not exist in ${id}. Use one of ${names.join(", ")}, or a slot from 0 to ${names.length - 1}.`
      : `${id} has one agent. Leave \`agent\` out.`,
  );
}

/** An environment without dynamics: its columns hold the given observation; `step` receives the action. */
export function still(
  spec: EnvSpec,
  {
    masked = false,
    rows = 1,
    step = () => {},
  }: { readonly masked?: boolean; readonly rows?: number; step?(action: Tree): void } = {},
): VectorEnv {
  const none = zeros([rows], "bool");
  return {
    spec,
    rows,
    observation: columns(spec.observation, rows),
    final: columns(spec.observation, rows),
    reward: zeros([rows]),
    terminated: none,
    truncated: none,
    ended: { return: new Float64Array(rows), length: new Int32Array(rows) },
    ...(masked ? { mask: zeros([rows, maskSize(spec.action)], "bool") } : {}),
    reset() {},
    step,
    // Without state of its own.
    save: () => ({}),
    restore() {},
  };
}

/** Stands in for the mask where there is none. */
const noMask = zeros([0, 0], "bool");

/** Runs a policy on single observations. */
export class Pilot {
  readonly masked: boolean;
  private readonly spec: EnvSpec;
  private readonly env: VectorEnv;
  /** The environment with the wrappers of training, which normalise observations and scale actions. */
  private readonly wrapped: VectorEnv;
  private readonly decider: Decider;
  /** The row of the observation: the slot of the agent, if there is a row for each. */
  private readonly row: number;
  private chosen: Tree = {};

  /** Continues the episode of another pilot, if given. */
  constructor({ spec, wrap, masked, slot, decide }: PilotOptions, before?: Pilot) {
    this.masked = masked;
    this.spec = spec;
    this.row = slot ?? 0;
    this.env = still(spec, {
      masked,
      // Policies tell agents apart by their rows.
      ...(slot === undefined ? {} : { rows: spec.agents?.names.length }),
      step: (action) => {
        this.chosen = action;
      },
    });
    this.wrapped = wrap(this.env);
    this.decider = decide(this.wrapped);
    if (before) this.decider.restore(before.decider.save());
  }

  act(observation: Value, mask?: Mask): Value {
    const fault = checkValue(this.spec.observation, observation, "observation", { bounds: false });
    if (fault) fail("act", `${fault} The agent was trained on ${this.spec.id}.`);
    writeValue(this.spec.observation, this.env.observation, this.row, observation);
    const { data, shape } = (this.env.mask ?? noMask) as Tensor;
    const width = shape[1];
    data.fill(1);
    if (mask) {
      if (mask.length !== width)
        fail(
          "act",
          `the mask has ${mask.length} entries; it must have ${width}, one for each choice of ${showSpace(this.spec.action)}.`,
        );
      for (let i = 0; i < width; i++) data[this.row * width + i] = mask[i] ? 1 : 0;
      const fault = maskFault(choiceSizes(this.spec.action), mask);
      if (fault) fail("act", `the mask allows ${fault}. Set at least one entry to 1.`);
    }
    // Only wrappers react to this reset: they read the new observation. The policy's recurrent state is kept.
    this.wrapped.reset();
    this.decider.step();
    return readValue(this.spec.action, this.chosen, this.row);
  }

  forget(): void {
    this.decider.reset();
  }
}
