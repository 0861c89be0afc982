import type { Tensor, Tree } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import { ReinsError } from "../errors.ts";
import type { Parts } from "../snapshot.ts";
import type { Value } from "../space.ts";
import { check, unbounded } from "../spaces/check.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { choiceSizes, maskFault } from "../spaces/mask.ts";
import { isArray, kindOf } from "../spaces/numbers.ts";
import { show } from "../spaces/show.ts";
import { put, putFast } from "../spaces/write.ts";

/**
 * The columns of a VectorEnv and the statistics of its episodes. Values from an environment are checked as they come in, so that a
 * wrong shape or a NaN is reported at its source: environment, row and fault.
 */
export class Rows {
  readonly spec: EnvSpec;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly mask: Tensor | undefined;
  /** Allowed actions in the last state of truncated episodes. */
  readonly finalMask: Tensor | undefined;
  readonly ended: { readonly return: Float64Array; readonly length: Int32Array };
  /** Return and length so far of the current episodes. */
  readonly running: { readonly return: Float64Array; readonly length: Int32Array };
  private readonly components: number;
  /** Options of each choice of an action that a mask restricts. */
  private readonly choices: readonly number[];
  /** The current step of each row's episode (0: its first observation), and the action: errors name both. */
  private readonly taking: { readonly step: Int32Array; readonly action: (Value | undefined)[] };

  constructor(spec: EnvSpec, rows: number, masked: boolean) {
    this.spec = spec;
    this.observation = columns(spec.observation, rows);
    this.final = columns(spec.observation, rows);
    this.components = spec.rewards?.length ?? 0;
    this.reward = zeroColumn("f32", spec.rewards ? [rows, this.components] : [rows]);
    this.terminated = zeroColumn("bool", [rows]);
    this.truncated = zeroColumn("bool", [rows]);
    this.choices = choiceSizes(spec.action);
    if (masked && this.choices.length === 0)
      throw new ReinsError(
        `${spec.id}: it has mask(), but ${show(spec.action)} has no choices to mask. Remove mask().`,
      );
    if (masked) {
      const width = this.choices.reduce((n, size) => n + size, 0);
      this.mask = zeroColumn("bool", [rows, width]);
      this.finalMask = zeroColumn("bool", [rows, width]);
    }
    this.ended = { return: new Float64Array(rows), length: new Int32Array(rows) };
    this.running = { return: new Float64Array(rows), length: new Int32Array(rows) };
    this.taking = { step: new Int32Array(rows), action: new Array(rows).fill(undefined) };
  }

  /** Records the action of a row; undefined at the start of an episode. */
  take(row: number, action: Value | undefined): void {
    this.taking.step[row] = action === undefined ? 0 : this.running.length[row] + 1;
    this.taking.action[row] = action;
  }

  /** An error in the result of a step: it names the step and the action. */
  private stepFault(row: number, message: string): never {
    const { step, action } = this.taking;
    const at = step[row] ? ` (step ${step[row]} of its episode, action ${actionText(action[row])})` : "";
    return this.fault(row, `${message.replace(/\.$/, "")}${at}.`);
  }

  /** An error of one row of the environment. */
  fault(row: number, message: string, cause?: unknown): never {
    throw new ReinsError(`${this.spec.id}, row ${row}: ${message}`, { cause });
  }

  /** The saved state, as `save` and `restore` walk it. */
  get parts(): Parts {
    const { observation, final, reward, terminated, truncated, mask, ended, running } = this;
    return { observation, final, reward, terminated, truncated, mask, ended, running };
  }

  /** Resets the results of the last step. */
  clear(): void {
    this.ended.return.fill(0);
    this.ended.length.fill(0);
  }

  /** Starts an episode. */
  begin(row: number): void {
    this.running.return[row] = 0;
    this.running.length[row] = 0;
  }

  /** Records return and length of a finished episode. */
  end(row: number): void {
    this.ended.return[row] = this.running.return[row];
    this.ended.length[row] = this.running.length[row];
  }

  putObservation(row: number, tree: Tree, value: Value): void {
    if (putFast(this.spec.observation, tree, row, value)) return;
    const fault = check(this.spec.observation, value, "observation", unbounded);
    if (fault) this.stepFault(row, fault);
    put(this.spec.observation, tree, row, value);
  }

  /** Writes a reward and adds it to the return: the sum of the components if it is a vector. */
  putReward(row: number, reward: number | ArrayLike<number>): void {
    const { components: k } = this;
    const { data } = this.reward;
    if (!this.spec.rewards) {
      if (!isReward(reward))
        this.stepFault(row, `the reward is ${words(reward)}; it must be a finite number${limit(reward)}.`);
      data[row] = reward;
      this.running.return[row] += reward;
      return;
    }
    if (!isArray(reward) || reward.length !== k)
      this.fault(row, `the reward is ${words(reward)}; it must have ${k}: ${this.spec.rewards.join(", ")}.`);
    for (let i = 0; i < k; i++) {
      const x = reward[i] as number;
      if (!isReward(x)) {
        const must = limit(x) && `; it must be a finite number${limit(x)}`;
        this.stepFault(row, `the reward "${this.spec.rewards[i]}" is ${words(x)}${must}.`);
      }
      data[row * k + i] = x;
      this.running.return[row] += x;
    }
  }

  /** Reward 0, for absent agents. */
  clearReward(row: number): void {
    const k = this.spec.rewards ? this.components : 1;
    this.reward.data.fill(0, row * k, (row + 1) * k);
  }

  putMask(row: number, mask: ArrayLike<number | boolean>): void {
    this.writeMask(this.mask!, row, mask);
    const fault = maskFault(this.choices, mask);
    if (fault) this.fault(row, `mask() allows ${fault}. End the episode instead.`);
  }

  /** The mask of an episode's last state; everything is allowed if it is undefined, or allows nothing. */
  putFinalMask(row: number, mask: ArrayLike<number | boolean> | undefined): void {
    const into = this.finalMask!;
    if (mask) this.writeMask(into, row, mask);
    if (!mask || maskFault(this.choices, mask)) allowAllOf(into, row);
  }

  private writeMask({ data, shape }: Tensor, row: number, mask: ArrayLike<number | boolean>): void {
    const n = shape[1];
    if (!isArray(mask) || mask.length !== n)
      this.fault(row, `mask() returned ${kindOf(mask)}; ${show(this.spec.action)} needs ${n} entries.`);
    for (let i = 0; i < n; i++) data[row * n + i] = mask[i] ? 1 : 0;
  }

  /** A mask that allows everything. */
  allowAll(row: number): void {
    allowAllOf(this.mask!, row);
  }
}

function allowAllOf({ data, shape }: Tensor, row: number): void {
  data.fill(1, row * shape[1], (row + 1) * shape[1]);
}

/** An action for error messages. */
const actionText = (action: Value | undefined): string =>
  `${JSON.stringify(ArrayBuffer.isView(action) ? Array.from(action as ArrayLike<number>) : action)}`.slice(
    0,
    60,
  );

/** A reward for error messages. */
function words(reward: unknown): string {
  return typeof reward === "number" ? String(reward) : kindOf(reward);
}

/** Rewards are stored as f32, in which a large finite number becomes infinite. */
const isReward = (x: unknown): x is number => typeof x === "number" && Number.isFinite(Math.fround(x));
const limit = (x: unknown) => (Number.isFinite(x) ? " up to 3.4e38" : "");
