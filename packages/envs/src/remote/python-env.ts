import { type EnvSpec, fail, type Snapshot, type VectorEnv, type VectorResetOptions } from "@reins/core";
import { Rows, rowSeeds } from "@reins/core/forms";
import { type Tensor, type Tree, zeros } from "@reins/tensor";
import { actionCheck } from "../actions.ts";
import { copyNumbers, type Mirrored } from "./mirror.ts";
import type { PythonHost } from "./python-host.ts";
import { PythonMemory } from "./python-memory.ts";

/** Bit flags of a row after a step, as in `reins_host.py`. */
const flags = { terminated: 1, truncated: 2, alive: 4 } as const;

/** Copies of an environment in a Python process. A step waits for the reply, so it behaves like any other VectorEnv. */
export class PythonEnv implements VectorEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly savable = false;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly mask?: Tensor;
  readonly finalMask?: Tensor;
  readonly alive?: Tensor;
  readonly begins?: Tensor;
  readonly ended: VectorEnv["ended"];
  readonly render?: (row: number) => string;
  private readonly memory: PythonMemory;
  private readonly copies: number;
  private readonly check: (action: Tree) => void;
  private readonly table: Rows;
  private started = false;

  constructor(
    host: PythonHost,
    spec: EnvSpec,
    copies: number,
    { renders, choices }: { readonly renders: boolean; readonly choices: number },
  ) {
    if (!Number.isInteger(copies) || copies < 1)
      fail(spec.id, `rows is ${copies}. Use a number of copies from 1.`);
    const rows = copies * (spec.agents?.names.length ?? 1);
    this.spec = spec;
    this.copies = copies;
    this.rows = rows;
    const table = new Rows(spec, rows, choices > 0);
    this.table = table;
    this.observation = table.observation;
    this.final = table.final;
    this.reward = table.reward;
    this.terminated = table.terminated;
    this.truncated = table.truncated;
    this.ended = table.ended;
    if (table.mask) this.mask = table.mask;
    if (table.finalMask) this.finalMask = table.finalMask;
    if (spec.agents) {
      this.alive = zeros([rows], "bool");
      this.begins = zeros([rows], "bool");
    }
    this.check = actionCheck(spec, rows);
    if (renders) this.render = (row) => this.memory.render(row);
    this.memory = new PythonMemory(host, spec, copies, this);
  }

  /** Every copy gets its seed from `rowSeeds`, and a context as Gymnasium's `options`. */
  reset({ seed, context }: VectorResetOptions = {}): void {
    const seeds = seed === undefined ? null : rowSeeds(seed, this.copies, this.spec.id);
    this.memory.reset(seeds, context ?? null);
    for (const column of [this.reward, this.terminated, this.truncated]) column.data.fill(0);
    for (const numbers of [this.ended, this.table.running]) {
      numbers.return.fill(0);
      numbers.length.fill(0);
    }
    this.alive?.data.fill(0);
    this.look();
    this.started = true;
  }

  step(action: Tree): void {
    if (!this.started) fail(this.spec.id, "step() was called before reset(). Call reset({ seed }) first.");
    this.check(action);
    const { memory, ended, rows } = this;
    const { running } = this.table;
    memory.step(action);
    const alive = this.alive?.data;
    const reward = this.reward.data;
    for (let row = 0; row < rows; row++) {
      const gained = memory.rewards[row];
      if (!Number.isFinite(Math.fround(gained)))
        this.table.fault(row, `the reward is ${gained}; it must be finite.`);
      reward[row] = gained;
      running.return[row] += gained;
      if (!alive || alive[row]) running.length[row]++;
      ended.return[row] = ended.length[row] = 0;
      if ((memory.flags[row] & (flags.terminated | flags.truncated)) !== 0) this.finish(row);
      else this.terminated.data[row] = this.truncated.data[row] = 0;
    }
    this.look();
  }

  save(): Snapshot {
    return this.unsavable();
  }

  restore(): void {
    this.unsavable();
  }

  close(): void {
    this.memory.close();
  }

  /** Records how the episode of a row ended. */
  private finish(row: number): void {
    const { memory, ended } = this;
    const { running } = this.table;
    this.terminated.data[row] = memory.flags[row] & flags.terminated ? 1 : 0;
    this.truncated.data[row] = memory.flags[row] & flags.truncated ? 1 : 0;
    ended.return[row] = running.return[row];
    ended.length[row] = running.length[row];
    running.return[row] = running.length[row] = 0;
    for (const column of memory.last) {
      const { tensor, numbers, width } = column;
      const { data } = tensor;
      for (let i = row * width; i < (row + 1) * width; i++) data[i] = numbers[i];
      if (tensor.dtype === "f32") this.checkNumbers(column, row * width, (row + 1) * width);
      this.checkChoices(column, row);
    }
    // An agent that acts after the end of its episode begins another one.
    if (this.alive) this.alive.data[row] = 0;
    if (this.finalMask) this.table.putFinalMask(row, this.maskOf(memory.finalMask, row));
  }

  private maskOf(masks: Uint8Array, row: number): Uint8Array {
    const choices = masks.length / this.rows;
    return masks.subarray(row * choices, (row + 1) * choices);
  }

  /** Spaces, agents and masks of the environment. */
  private look(): void {
    const { seen, flags: bits, mask } = this.memory;
    for (const column of seen) {
      copyNumbers(column.numbers, column.tensor.data);
      if (column.tensor.dtype === "f32") this.checkNumbers(column, 0, column.numbers.length);
      // The columns of absent agents hold no observation.
      for (let row = 0; column.ranges && row < this.rows; row++)
        if (!this.alive || bits[row] & flags.alive) this.checkChoices(column, row);
    }
    const alive = this.alive?.data;
    if (alive)
      for (let row = 0; row < alive.length; row++) {
        const acts = bits[row] & flags.alive ? 1 : 0;
        this.begins!.data[row] = acts && !alive[row] ? 1 : 0;
        alive[row] = acts;
      }
    if (!this.mask) return;
    for (let row = 0; row < this.rows; row++) this.table.putMask(row, this.maskOf(mask, row));
  }

  private checkNumbers({ numbers, width }: Mirrored, from: number, to: number): void {
    for (let i = from; i < to; i++)
      // Infinity and NaN minus themselves are not 0.
      if (numbers[i] - numbers[i] !== 0)
        this.table.fault(Math.floor(i / width), `its observation contains ${numbers[i]}; it must be finite.`);
  }

  private checkChoices({ numbers, ranges }: Mirrored, row: number): void {
    for (let i = 0; ranges && i < ranges.length; i++) {
      const { start, size } = ranges[i];
      const x = numbers[row * ranges.length + i];
      if (x < start || x >= start + size)
        this.table.fault(
          row,
          `its observation contains the choice ${x}; its space allows ${start} to ${start + size - 1}.`,
        );
    }
  }

  private unsavable(): never {
    return fail(
      this.spec.id,
      "its state lives in a Python process and cannot be saved. The agent can be saved; the run cannot be resumed.",
    );
  }
}
