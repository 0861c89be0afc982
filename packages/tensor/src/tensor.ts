import { byteSize, type DType, type TypedArray, typedArray } from "./dtype.ts";
import { fail } from "./errors.ts";
import { currentGraph, type Graph, type Node } from "./graph.ts";
import { heap } from "./heap.ts";
import { type Shape, show, sizeOf } from "./shape.ts";

/** The elements of a concrete tensor: an ordinary array, or a block of the heap once compiled code uses it. */
export class Storage {
  readonly dtype: DType;
  readonly length: number;
  /** Where on the heap, or 0. */
  offset = 0;
  private array: TypedArray;
  /** The storage whose memory this one uses, if it has none of its own: it must live as long. */
  private whole: Storage | undefined;

  constructor(dtype: DType, array: TypedArray) {
    this.dtype = dtype;
    this.length = array.length;
    this.array = array;
  }

  get data(): TypedArray {
    // A heap that is not shared detaches its views when it grows.
    if (this.offset !== 0 && this.array.length !== this.length) {
      this.array = typedArray(this.dtype, heap.buffer, this.offset, this.length);
    }
    return this.array;
  }

  get bytes(): number {
    return this.length * byteSize(this.dtype);
  }

  /** Moves the elements to the heap, for as long as this storage lives. */
  moveToHeap(): number {
    if (this.offset !== 0) return this.offset;
    const offset = heap.allocate(this.bytes);
    const view = typedArray(this.dtype, heap.buffer, offset, this.length);
    view.set(this.array);
    this.array = view;
    this.offset = offset;
    reclaim.register(this, { offset, bytes: this.bytes }, this);
    return offset;
  }

  /** The first elements as a storage of their own, in the same memory. */
  front(length: number): Storage {
    const offset = this.moveToHeap();
    const part = new Storage(this.dtype, typedArray(this.dtype, heap.buffer, offset, length));
    part.offset = offset;
    part.whole = this;
    return part;
  }

  /** Takes the elements back into an ordinary array and gives the heap's memory up, if it is this storage's own. */
  leaveHeap(): void {
    if (this.offset === 0 || this.whole) return;
    const array = this.data.slice();
    heap.release(this.offset, this.bytes);
    reclaim.unregister(this);
    this.array = array;
    this.offset = 0;
  }
}

const reclaim = new FinalizationRegistry<{ offset: number; bytes: number }>(({ offset, bytes }) =>
  heap.release(offset, bytes),
);

/**
 * An array of numbers with a shape and an element type: a concrete one, or, while a function is traced, the promise of one.
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
    if (this.storage) return this.storage.data;
    this.refuse("read");
  }

  /** The elements as nested arrays; a number for a scalar. */
  toArray(): Nested {
    const { data, shape, dtype } = this;
    const build = (axis: number, start: number, length: number): Nested => {
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
    return this.data[0];
  }

  /** Resolves to the elements, copied. The asynchronous form works on every back end, GPUs included. */
  async read(): Promise<TypedArray> {
    return this.data.slice();
  }

  /** Overwrites the elements in place; compiled functions bound to this tensor see the new values. */
  set(values: ArrayLike<number> | number): this {
    if (typeof values === "number") this.data.fill(values);
    else {
      if (values.length !== this.size)
        fail(
          "set",
          `${values.length} values do not fill a tensor of shape ${show(this.shape)} (${this.size} elements).`,
        );
      this.data.set(values);
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

  /** Numbers in conditions and arithmetic would silently freeze a value; say so instead. */
  valueOf(): number {
    return this.item();
  }
}

export type Nested = number | boolean | Nested[];

/** The node that stands for `t` in `graph`: itself, or a hidden input. */
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

/** Whether a function is being traced now. */
export function isTracing(): boolean {
  return currentGraph() !== undefined;
}
