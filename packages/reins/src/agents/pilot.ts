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

/** A mask, or a record that holds it. */
export type Allowed = Mask | { readonly mask?: Mask | undefined };

/** Options of a pilot. */
export interface PilotOptions {
  readonly spec: EnvSpec;
  /** Applies the wrappers of training to an environment. */
  wrap(env: VectorEnv): VectorEnv;
  /** Whether actions may be masked. */
  readonly masked: boolean;
  decide(env: VectorEnv): Decider;
}

/** `act` and `forget` for one observation at a time; a mask is required if `needsMask` returns true. */
export function pilotsFor({
  needsMask,
  ...options
}: Omit<PilotOptions, "masked"> & { needsMask(): boolean }): {
  act(observation: Value, allowed?: Allowed): Value;
  forget(): void;
} {
  let pilot: Pilot | undefined;
  return {
    act(observation, allowed) {
      const mask = maskIn(allowed);
      const masked = mask !== undefined;
      if (!masked && needsMask())
        fail(
          "act",
          `${options.spec.id} masks some actions. Pass the mask of allowed actions: act(observation, env.mask()).`,
        );
      // Calls with and without a mask belong to one episode.
      if (!pilot || (masked && !pilot.masked)) pilot = new Pilot({ ...options, masked }, pilot);
      return pilot.act(observation, mask);
    },
    forget: () => pilot?.forget(),
  };
}

function maskIn(allowed: Allowed | undefined): Mask | undefined {
  return allowed && !("length" in allowed) ? allowed.mask : allowed;
}

/** An environment without dynamics: its columns hold the given observation; `step` receives the action. */
export function still(
  spec: EnvSpec,
  { masked = false, step = () => {} }: { readonly masked?: boolean; step?(action: Tree): void } = {},
): VectorEnv {
  const none = zeros([1], "bool");
  return {
    spec,
    rows: 1,
    observation: columns(spec.observation, 1),
    final: columns(spec.observation, 1),
    reward: zeros([1]),
    terminated: none,
    truncated: none,
    ended: { return: new Float64Array(1), length: new Int32Array(1) },
    ...(masked ? { mask: zeros([1, maskSize(spec.action)], "bool") } : {}),
    reset() {},
    step,
    // Without state of its own.
    save: () => ({}),
    restore() {},
  };
}

/** Stands in for the mask where there is none. */
const noMask = zeros([0], "bool");

/** Runs a policy on single observations. */
export class Pilot {
  readonly masked: boolean;
  private readonly spec: EnvSpec;
  private readonly env: VectorEnv;
  /** The environment with the wrappers of training, which normalise observations and scale actions. */
  private readonly wrapped: VectorEnv;
  private readonly decider: Decider;
  private chosen: Tree = {};

  /** Continues the episode of another pilot, if given. */
  constructor({ spec, wrap, masked, decide }: PilotOptions, before?: Pilot) {
    this.masked = masked;
    this.spec = spec;
    this.env = still(spec, {
      masked,
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
    writeValue(this.spec.observation, this.env.observation, 0, observation);
    const { data } = (this.env.mask ?? noMask) as Tensor;
    if (!mask) data.fill(1);
    else {
      if (mask.length !== data.length)
        fail(
          "act",
          `the mask has ${mask.length} entries; it must have ${data.length}, one for each choice of ${showSpace(this.spec.action)}.`,
        );
      for (let i = 0; i < data.length; i++) data[i] = mask[i] ? 1 : 0;
      const fault = maskFault(choiceSizes(this.spec.action), mask);
      if (fault) fail("act", `the mask allows ${fault}. Set at least one entry to 1.`);
    }
    // Only wrappers react to this reset: they read the new observation. The policy's recurrent state is kept.
    this.wrapped.reset();
    this.decider.step();
    return readValue(this.spec.action, this.chosen, 0);
  }

  forget(): void {
    this.decider.reset();
  }
}
