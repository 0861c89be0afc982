import type { Device, DeviceBlock } from "./device.ts";
import { DeviceCopy } from "./device-copy.ts";
import { byteSize, type DType, type TypedArray, typedArray } from "./dtype.ts";
import { fail } from "./errors.ts";
import { requireAllFit, requireFit } from "./fit.ts";
import { currentGraph, type Graph, type Node } from "./graph.ts";
import { type HeapBlock, heap, type Idle, type Reach } from "./heap.ts";
import { type Shape, show, sizeOf } from "./shape.ts";

/** Keeps the heap memory of an array alive while the array is referenced. */
const owners = new WeakMap<TypedArray, HeapBlock>();

/** The elements of a concrete tensor: an ordinary array, or a block of the heap once compiled code uses it. */
export class Storage implements Idle {
  readonly dtype: DType;
  readonly length: number;
  waiting = false;
  /** Whether compiled code has used it. */
  private used = false;
  /** Whether WebAssembly code has used it: then it stays in the first region. */
  private reach: Reach = "native";
  private block: HeapBlock | undefined;
  private array: TypedArray;
  /** The storage whose memory this one shares, if it has none of its own. */
  private whole: Storage | undefined;
  /** Whether callers may have an array of the elements: of the owner, for all storages that share its memory. */
  private shown = false;
  /** The elements on a device, once a program there has used them; a storage that shares memory uses its owner's. */
  private copy: DeviceCopy | undefined;

  constructor(dtype: DType, array: TypedArray) {
    this.dtype = dtype;
    this.length = array.length;
    this.array = array;
  }

  /** Zeros that are on the heap from the beginning and stay there. */
  static placed(dtype: DType, length: number): Storage {
    const block = heap.reserve(length * byteSize(dtype), "native");
    block.seen = true;
    const storage = new Storage(dtype, typedArray(dtype, block.region.buffer, block.offset, length));
    storage.use(block);
    return storage;
  }

  /** The elements for immediate reading. Do not keep the array: the elements may move. */
  get values(): TypedArray {
    if (DeviceCopy.count > 0) this.owner.copy?.fetch(this.owner.hostBytes);
    return this.array;
  }

  /** Whether the elements can only be read asynchronously at present. */
  get isLate(): boolean {
    return !!this.owner.copy?.isLate;
  }

  /** Resolves to a copy of the elements as they are now. */
  async read(): Promise<TypedArray> {
    if (!this.isLate) return this.values.slice();
    const { owner, array } = this;
    const { buffer } = await owner.copy!.pull(() => owner.hostBytes);
    return typedArray(this.dtype, buffer, array.byteOffset - owner.array.byteOffset, this.length);
  }

  /** The elements for immediate reading and writing. */
  get data(): TypedArray {
    const { values } = this;
    if (DeviceCopy.count > 0) this.owner.copy?.hostWrote();
    return values;
  }

  /** The elements as an array that callers may keep. Once compiled code has used them, they are on the heap and stay there. */
  view(): TypedArray {
    if (this.used) {
      this.moveToHeap().seen = true;
      this.owner.shown = true;
    }
    if (DeviceCopy.count === 0 || !this.owner.copy) return this.array;
    const array = this.data;
    return this.owner.copy.shown(this, () => {
      const view = typedArray(this.dtype, array.buffer, array.byteOffset, this.length);
      if (this.block) owners.set(view, this.block);
      return view;
    });
  }

  private get hostBytes(): Uint8Array {
    return new Uint8Array(this.array.buffer, this.array.byteOffset, this.array.byteLength);
  }

  /** The current elements on a device, for a program that reads them. */
  readOn(device: Device): DeviceBlock {
    return this.copyOn(device).current(this.owner.hostBytes);
  }

  /** Memory on a device for a program that writes all elements; call `wroteOn` afterwards. */
  writeOn(device: Device): DeviceBlock {
    return this.copyOn(device).block;
  }

  /** Records that a program on a device has written the elements. Arrays of them that callers keep get the new values at once. */
  wroteOn(device: Device): void {
    this.copyOn(device).deviceWrote(this.owner.hostBytes);
  }

  private copyOn(device: Device): DeviceCopy {
    const { owner } = this;
    if (owner.copy?.device === device) return owner.copy;
    // On another device: the host has the values in between.
    owner.copy?.leave(owner.hostBytes);
    // Arrays that were read before are not live, as on the heap; those of elements on the heap are, and stay so.
    if (!owner.used) owner.array = owner.array.slice();
    owner.copy = new DeviceCopy(device, owner.bytes, owner.shown);
    return owner.copy;
  }

  get bytes(): number {
    return this.length * byteSize(this.dtype);
  }

  /** Moves the elements to the heap. They stay there while they are pinned or an array of them is referenced; otherwise until the heap is full. */
  moveToHeap(reach: Reach = "native"): HeapBlock {
    if (reach === "everybody") this.reach = reach;
    const { block: old } = this;
    if (old && heap.reaches(old, this.reach)) return old;
    if (old) this.refuseToMove(old);
    const block = heap.reserve(this.bytes, this.reach);
    const before = this.array;
    this.use(block);
    this.array.set(before);
    old?.release();
    return block;
  }

  /** Elements that are on the heap but out of reach must be movable. */
  private refuseToMove(block: HeapBlock): void {
    if (block.pins === 0 && !block.seen && !this.whole) return;
    throw new RangeError(
      `A function on WebAssembly uses a tensor of ${this.bytes} bytes that lies beyond the first 4 GiB of the heap, which only native code ` +
        "can address, and cannot be moved: a bound function uses it, or its `data` was read. Pass a copy of it.",
    );
  }

  private use(block: HeapBlock): void {
    this.used = true;
    this.block = block;
    this.array = typedArray(this.dtype, block.region.buffer, block.offset, this.length);
    owners.set(this.array, block);
  }

  /** Records that a bound function with this reach uses the memory from now on. */
  pin(reach: Reach): HeapBlock {
    const block = this.moveToHeap(reach);
    block.pins++;
    return block;
  }

  unpin(): void {
    const block = this.block!;
    block.pins--;
    if (block.pins === 0) heap.waits(this);
  }

  /** A storage of the first elements, in the same memory. */
  front(length: number): Storage {
    const block = this.moveToHeap();
    block.seen = true;
    const part = new Storage(this.dtype, typedArray(this.dtype, block.region.buffer, block.offset, length));
    part.use(block);
    part.whole = this;
    return part;
  }

  /** The storage that owns the memory: equal for two storages that share it. */
  get owner(): Storage {
    return this.whole ? this.whole.owner : this;
  }

  /** Moves the elements back into an ordinary array and releases the heap memory, unless it is in use. */
  relieve(): void {
    if (!this.block || this.whole || this.block.pins > 0 || this.block.seen) return;
    const { block } = this;
    this.array = this.array.slice();
    this.block = undefined;
    block.release();
  }

  /** Releases the heap memory and discards the elements. */
  drop(): void {
    if (!this.block || this.whole || this.block.pins > 0 || this.block.seen) return;
    this.array = typedArray(this.dtype, this.length);
    this.block.release();
    this.block = undefined;
  }

  /** Releases memory on a device; the host keeps the values. */
  leaveDevice(): void {
    this.copy?.leave(this.hostBytes);
    this.copy = undefined;
  }
}

/**
 * An array of numbers with a shape and an element type: concrete, or symbolic while a function is traced.
 * Methods that compute are added by `methods.ts`; each is also a function of the same name.
 */
export class Tensor {
  readonly shape: Shape;
  readonly dtype: DType;
  /** @internal */ readonly node: Node | undefined;
  /** @internal */ storage: Storage | undefined;
  private consumed = "";

  /** @internal Use `tensor`, `zeros` and their like. */
  constructor(content: Node | Storage, shape: Shape = (content as Node).shape) {
    this.shape = shape;
    this.dtype = content.dtype;
    if (content instanceof Storage) this.storage = content;
    else this.node = content;
  }

  /** Number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** @internal Marks the handle as used up by donation. */
  consume(by: string): void {
    this.consumed = by;
    this.storage = undefined;
  }

  /** The elements in row-major order: a live view, so writing to it changes the tensor. */
  get data(): TypedArray {
    if (this.storage) return this.storage.view();
    this.refuse("read");
  }

  /**
   * The elements for immediate reading. Do not keep or change the array: unlike `data` it is not a live view, which on a GPU would be copied
   * after every run.
   */
  peek(): TypedArray {
    if (this.storage) return this.storage.values;
    this.refuse("read");
  }

  /** The elements for immediate reading and writing. Do not keep the array; see {@link peek}. */
  edit(): TypedArray {
    if (this.storage) return this.storage.data;
    this.refuse("read");
  }

  /** The elements as nested arrays; a number for a scalar. */
  toArray(): NestedNumbers {
    const { shape, dtype } = this;
    const data = this.peek();
    const build = (axis: number, start: number, length: number): NestedNumbers => {
      if (axis === shape.length) return dtype === "bool" ? data[start] !== 0 : data[start];
      const step = shape[axis] === 0 ? 0 : length / shape[axis];
      return Array.from({ length: shape[axis] }, (_, i) => build(axis + 1, start + i * step, step));
    };
    return build(0, 0, data.length);
  }

  /** The only element. */
  item(): number {
    if (this.size !== 1)
      fail(
        "item",
        `the tensor has shape ${show(this.shape)}; item() reads tensors with one element. Use data or toArray().`,
      );
    return this.peek()[0];
  }

  /** Resolves to a copy of the elements. The asynchronous form works on every back end, GPUs included. */
  async read(): Promise<TypedArray> {
    if (this.storage) return this.storage.read();
    this.refuse("read");
  }

  /** Overwrites the elements in place; compiled functions bound to this tensor see the new values. */
  set(values: ArrayLike<number> | number): this {
    const fits = (v: number) => (this.dtype === "bool" ? Number(Boolean(v)) : v);
    if (typeof values === "number") {
      requireFit(values, this.dtype, "set");
      this.edit().fill(fits(values));
    } else {
      if (values.length !== this.size)
        fail(
          "set",
          `${values.length} values do not fill a tensor of shape ${show(this.shape)} (${this.size} elements).`,
        );
      if (Object.getPrototypeOf(values) !== Object.getPrototypeOf(this.edit()))
        requireAllFit(values, this.dtype, "set");
      this.edit().set(this.dtype === "bool" ? Array.from(values, fits) : values);
    }
    return this;
  }

  toString(): string {
    const what = this.storage
      ? this.size <= 100
        ? ` ${JSON.stringify(this.toArray())}`
        : ""
      : this.consumed
        ? " donated"
        : " traced";
    return `Tensor ${this.dtype}${show(this.shape)}${what}`;
  }

  /** @internal */
  refuse(operation: string): never {
    if (this.consumed) {
      fail(
        operation,
        `this tensor ${this.dtype}${show(this.shape)} was donated to ${this.consumed} and its memory reused. Use the result of that call instead.`,
      );
    }
    if (this.node?.graph.open) {
      fail(
        operation,
        `the values of a traced tensor ${this.dtype}${show(this.shape)} are not known while the function is being traced. Return it from the compiled function, or use where() instead of if.`,
      );
    }
    fail(
      operation,
      `a traced tensor ${this.dtype}${show(this.shape)} was used after its function had been traced (a tracing leak). Return it from the compiled function instead of storing it outside.`,
    );
  }

  /** Conversion to a number would silently freeze a traced value, so it throws. */
  valueOf(): number {
    return this.item();
  }
}

/** A number, or numbers in nested lists of equal lengths: `[[1, 2], [3, 4]]`. */
export type NestedNumbers = number | boolean | NestedNumbers[];

/** The node of `t` in `graph`: its own, or a hidden input. */
export function nodeIn(graph: Graph, t: Tensor, operation: string): Node {
  if (t.node) {
    if (t.node.graph === graph) return t.node;
    let outer: Graph | undefined = graph.parent;
    while (outer && outer !== t.node.graph) outer = outer.parent;
    if (!outer || !t.node.graph.open) t.refuse(operation);
    return graph.capture(t.node, t);
  }
  if (!t.storage) t.refuse(operation);
  return graph.capture(t.storage, t);
}

/** Whether a function is being traced. */
export function isTracing(): boolean {
  return currentGraph() !== undefined;
}
