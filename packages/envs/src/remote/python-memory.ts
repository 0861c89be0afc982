import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvSpec, VectorEnv } from "@reins/core";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree, type TypedArray } from "@reins/tensor";
import { leafFinder } from "../wrappers/wrapper.ts";
import { choiceRangesAt } from "./choice-ranges.ts";
import { arrayOver, bytesEach, copyNumbers, type Mirrored, partAt } from "./mirror.ts";
import { type PythonHost, stepMessage } from "./python-host.ts";
import { type Layout, layoutFault, type Place } from "./python-layout.ts";

/**
 * Columns of at least this many bytes use a shared-memory file, smaller ones the pipe: that saves a system call,
 * but a pipe holds 64 KiB, beyond which both sides alternate.
 */
const sharedFrom = 1 << 16;

/** The columns of an environment in Python, as received, and the actions, as sent. */
export class PythonMemory {
  readonly seen: readonly Mirrored[];
  readonly last: readonly Mirrored[];
  readonly rewards: Float64Array;
  readonly flags: Uint8Array;
  /** Action masks of each row; absent if the environment has none. */
  readonly mask: Uint8Array;
  /** Action masks of the last states of episodes that ended. */
  readonly finalMask: Uint8Array;
  private readonly host: PythonHost;
  private readonly room: number;
  private readonly bytes: Uint8Array;
  private readonly short: number;
  private readonly message: Uint8Array;
  private readonly acted: readonly TypedArray[];
  private readonly actionsOf: (action: Tree) => readonly Tensor[];
  /** The file that holds large columns. */
  private readonly file: number | undefined;
  private isClosed = false;

  constructor(
    host: PythonHost,
    spec: EnvSpec,
    copies: number,
    { observation, final, mask }: Pick<VectorEnv, "observation" | "final"> & { readonly mask?: Tensor },
  ) {
    this.room = host.enter();
    this.host = host;
    const size = leaves(observation).reduce((sum, t) => sum + t.size * bytesEach(t.dtype), 0);
    const folder = size >= sharedFrom ? mkdtempSync(join(sharedFolder(), "reins-")) : undefined;
    const shared = folder ? join(folder, "columns") : null;
    let layout: Layout;
    try {
      if (shared) this.file = openSync(shared, "w+");
      layout = host.ask({ call: "open", copies, shared }, this.room) as Layout;
    } finally {
      // Both sides have it open; it is already unlinked.
      if (folder) rmSync(folder, { recursive: true, force: true });
    }
    const rows = copies * (spec.agents?.names.length ?? 1);
    const like = columns(spec.action, rows);
    const fault = layoutFault(layout, { observation, action: like, rows, mask: mask?.size ?? 0 });
    if (fault) host.malformed(fault);
    const { short, bytes } = layout;
    this.short = short;
    this.bytes = new Uint8Array(bytes);
    const memory = this.bytes.buffer;
    const over = (tree: Tree, places: readonly Place[]): Mirrored[] =>
      places.map(({ path, at, count }) => {
        const tensor = partAt(tree, path);
        const ranges = choiceRangesAt(spec.observation, path);
        const numbers = arrayOver(tensor.dtype, memory, at, count);
        return { tensor, numbers, width: count / rows, ...(ranges ? { ranges } : {}) };
      });
    this.seen = over(observation, layout.observation);
    this.last = over(final, layout.final);
    this.rewards = new Float64Array(memory, layout.reward, rows);
    this.flags = new Uint8Array(memory, layout.flags, rows);
    this.mask = new Uint8Array(memory, layout.mask, mask?.size ?? 0);
    this.finalMask = new Uint8Array(memory, layout.finalMask, mask?.size ?? 0);

    const parts = layout.actions.map((place) => ({ ...place, tensor: partAt(like, place.path) }));
    const ends = parts.map(({ at, count, tensor }) => at + count * bytesEach(tensor.dtype));
    this.message = stepMessage(Math.ceil(Math.max(...ends) / 8) * 8, this.room);
    const arrays = new Map(
      parts.map(({ tensor, at, count }) => [tensor, arrayOver(tensor.dtype, this.message.buffer, at, count)]),
    );
    this.acted = leaves(like).map((tensor) => arrays.get(tensor)!);
    this.actionsOf = leafFinder(like, "the action");
  }

  /** Begins episodes in all rows. */
  reset(seeds: readonly number[] | null, context: unknown): void {
    this.host.command({ call: "reset", seeds, context }, this.room);
    this.receive();
  }

  render(row: number): string {
    const text = this.host.ask({ call: "render", row }, this.room);
    return typeof text === "string" ? text : this.host.malformed("a rendering that is not text");
  }

  /** Sends the actions of a step and waits for the results. */
  step(action: Tree): void {
    this.send(action);
    this.receive();
  }

  private send(action: Tree): void {
    const parts = this.actionsOf(action);
    for (let i = 0; i < parts.length; i++) copyNumbers(parts[i].data, this.acted[i]);
    this.host.step(this.message);
  }

  private receive(): void {
    const { file, host, bytes, short } = this;
    const came = host.columns(file === undefined ? bytes : bytes.subarray(0, 8));
    if (file !== undefined) readSync(file, bytes, 8, short - 8, 8);
    // Final observations and masks are appended only if an episode ended.
    const ended = this.flags.some((flag) => (flag & 3) !== 0);
    const expected = file !== undefined ? 8 : ended ? bytes.length : short;
    if (came !== expected) host.malformed(`${came} bytes of columns, where ${expected} were expected`);
    if (file !== undefined && ended) readSync(file, bytes, short, bytes.length - short, short);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.host.leave(this.room);
    if (this.file !== undefined) closeSync(this.file);
  }
}

/** A directory of in-memory files, if the system has one. */
const sharedFolder = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
