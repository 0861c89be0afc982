import type { Tensor, Tree } from "@reins/tensor";
import type { ResetOptions } from "../env.ts";
import type { Parts } from "../snapshot.ts";
import type { Value } from "../space.ts";
import { check, unbounded } from "../spaces/check.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { put } from "../spaces/write.ts";
import { environmentFailed, requireFlag, requireResult, requireSlots } from "./contract.ts";
import { Copies } from "./copies.ts";
import { copyRow } from "./copy.ts";
import type { MultiEnv, MultiStep, MultiView } from "./multi-env.ts";

const perSlot = ["observations", "rewards", "terminated", "truncated"] as const;

/** See `vectoriseMulti`. */
export class VectorisedMulti extends Copies<MultiEnv> {
  readonly alive: Tensor;
  readonly begins: Tensor;
  readonly global?: Tree;
  readonly finalGlobal?: Tree;
  private readonly agents: number;
  private readonly turns: boolean;
  private readonly actions: (Value | null)[];
  /** Which rows are in an episode, including those that wait for their turn. */
  private readonly inside: Uint8Array;
  /** Steps of each copy's episode. */
  private readonly steps: Int32Array;

  constructor(envs: readonly MultiEnv[]) {
    const { spec, globalSpace } = envs[0];
    super(envs, spec.agents!.names.length);
    this.agents = spec.agents!.names.length;
    this.turns = spec.agents!.order === "turns";
    this.alive = zeroColumn("bool", [this.rows]);
    this.begins = zeroColumn("bool", [this.rows]);
    if (globalSpace) {
      this.global = columns(globalSpace, this.rows);
      this.finalGlobal = columns(globalSpace, this.rows);
    }
    this.actions = new Array(this.agents).fill(null);
    this.inside = new Uint8Array(this.rows);
    this.steps = new Int32Array(envs.length);
  }

  protected override own(): Parts {
    const { alive, global, inside, steps } = this;
    return { alive, global, inside, steps };
  }

  protected begin(copy: number, options: ResetOptions | undefined): void {
    const base = copy * this.agents;
    let view: MultiView;
    try {
      view = this.envs[copy].reset(options);
    } catch (error) {
      environmentFailed(this.table, base, "reset", error);
    }
    requireResult(this.table, base, "reset", view, "{ observations }");
    requireSlots(this.table, base, "observations", view.observations);
    this.steps[copy] = 0;
    this.inside.fill(0, base, base + this.agents);
    this.begins.data.fill(0, base, base + this.agents);
    for (let slot = 0; slot < this.agents; slot++) this.enter(base + slot, view.observations[slot]);
    this.look(copy, view);
  }

  protected advance(copy: number, action: Tree): void {
    const base = copy * this.agents;
    for (let slot = 0; slot < this.agents; slot++) {
      this.actions[slot] = this.alive.data[base + slot] ? this.actionOf(base + slot, action) : null;
      this.table.take(base + slot, this.actions[slot] ?? undefined);
    }
    const result = this.call(copy, base);
    const late = ++this.steps[copy] >= this.maxSteps && !result.over;
    // Before the copy restarts: the critic evaluates the last state of truncated episodes.
    if (this.finalGlobal) this.putGlobal(this.finalGlobal, base, this.envs[copy].global?.());
    for (let slot = 0; slot < this.agents; slot++) this.advanceRow(base + slot, slot, result, late);
    if (result.over || late) this.begin(copy, this.again);
    else this.look(copy, result);
  }

  private call(copy: number, base: number): MultiStep {
    let result: MultiStep;
    try {
      result = this.envs[copy].step(this.actions);
    } catch (error) {
      environmentFailed(this.table, base, "step", error);
    }
    requireResult(this.table, base, "step", result, "{ observations, rewards, terminated, truncated, over }");
    for (const part of perSlot) requireSlots(this.table, base, part, result[part]);
    requireFlag(this.table, base, "over", result.over);
    return result;
  }

  private advanceRow(row: number, slot: number, result: MultiStep, late: boolean): void {
    const { table } = this;
    let terminated = result.terminated[slot];
    let truncated = result.truncated[slot];
    requireFlag(table, row, "terminated", terminated);
    requireFlag(table, row, "truncated", truncated);
    this.terminated.data[row] = this.truncated.data[row] = this.begins.data[row] = 0;
    const observation = result.observations[slot];
    if (!this.inside[row]) {
      table.clearReward(row);
      // An agent that arrives in the last step has no episode in it.
      if (!result.over && !late && (result.alive?.[slot] ?? true)) this.enter(row, observation);
      return;
    }
    table.putReward(row, result.rewards[slot]);
    if (this.alive.data[row]) table.running.length[row]++;
    if (result.over && !truncated) terminated = true;
    if (late) truncated = true;
    if (terminated || truncated) {
      this.inside[row] = 0;
      this.terminated.data[row] = terminated ? 1 : 0;
      this.truncated.data[row] = truncated ? 1 : 0;
      if (observation !== null) table.putObservation(row, this.final, observation);
      else copyRow(this.final, this.observation, row);
      if (this.mask) {
        const decides = !terminated && (result.alive?.[slot] ?? true);
        table.putFinalMask(row, decides ? this.envs[Math.floor(row / this.agents)].mask!(slot) : undefined);
      }
      table.end(row);
    } else if (observation !== null) table.putObservation(row, this.observation, observation);
  }

  /** Puts an agent into a free slot, if there is one. */
  private enter(row: number, observation: Value | null): void {
    if (observation === null) return;
    this.table.take(row, undefined);
    this.table.putObservation(row, this.observation, observation);
    this.table.begin(row);
    this.inside[row] = this.begins.data[row] = 1;
  }

  /** Determines which agents act next, their masks, and the global state. */
  private look(copy: number, view: MultiView): void {
    const base = copy * this.agents;
    const env = this.envs[copy];
    let acting = 0;
    if (view.alive) requireSlots(this.table, base, "alive", view.alive);
    for (let slot = 0; slot < this.agents; slot++) {
      const row = base + slot;
      const alive = this.inside[row] && (view.alive ? view.alive[slot] : true) ? 1 : 0;
      acting += this.alive.data[row] = alive;
      if (view.alive?.[slot] && !this.inside[row] && view.observations[slot] === null)
        this.table.fault(row, `${this.spec.agents!.names[slot]} may act, but has no observation.`);
      if (this.mask && alive) this.table.putMask(row, env.mask!(slot));
      // Rows that do not act allow everything: a distribution without any choice has NaN.
      else if (this.mask) this.table.allowAll(row);
    }
    if (this.turns && acting !== 1)
      this.table.fault(
        base,
        `${acting} agents may act, but exactly one may in an environment with turns. Set \`alive\`.`,
      );
    if (this.global) this.putGlobal(this.global, base, env.global?.());
  }

  private putGlobal(into: Tree, base: number, value: Value | undefined): void {
    const space = this.envs[0].globalSpace!;
    const fault = check(space, value, "the global state", unbounded);
    if (fault) this.table.fault(base, fault);
    for (let slot = 0; slot < this.agents; slot++) put(space, into, base + slot, value!);
  }
}
