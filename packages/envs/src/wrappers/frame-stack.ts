import { box, fail, image, type Space, type VectorEnv } from "@reins/core";
import { checkUsualRange } from "@reins/core/settings";
import { columns, showSpace } from "@reins/core/spaces";
import type { Tensor, TypedArray } from "@reins/tensor";
import { Wrapper } from "./wrapper.ts";

/**
 * Stacks the last `frames` observations, the oldest first: a new first axis of a box, more channels of an image.
 * An episode begins with its first observation repeated; an agent that waits keeps its frames. Mnih et al., "Human-level Control Through Deep
 * Reinforcement Learning" (2015).
 */
export function frameStack(env: VectorEnv, frames: number): VectorEnv {
  return new FrameStack(env, frames);
}

class FrameStack extends Wrapper {
  private readonly frames: number;
  /** Contiguous numbers of a frame: all of a box, the channels of a pixel. */
  private readonly unit: number;
  /** Numbers per frame. */
  private readonly size: number;

  constructor(inner: VectorEnv, frames: number) {
    checkUsualRange("frameStack", "the number of frames", frames, "count", 4);
    const observation = stacked(inner.spec.observation, frames, inner.spec.id);
    super(inner, {
      spec: { observation },
      observation: columns(observation, inner.rows),
      final: columns(observation, inner.rows),
    });
    this.frames = frames;
    this.size = (inner.observation as Tensor).size / inner.rows;
    this.unit = inner.spec.observation.kind === "image" ? inner.spec.observation.channels : this.size;
  }

  protected override parts() {
    const { observation, final } = this;
    return { observation, final };
  }

  protected override begun(): void {
    for (let row = 0; row < this.rows; row++) this.fill(row);
  }

  protected override after(): void {
    const { frames, size } = this;
    const stack = (this.observation as Tensor).data;
    const final = (this.final as Tensor).data;
    const length = frames * size;
    const alive = this.alive?.data;
    for (let row = 0; row < this.rows; row++) {
      const ended = this.terminated.data[row] || this.truncated.data[row];
      // A frame is an observation that the agent acts on: while it waits, it keeps an old one.
      if (alive && !alive[row] && !ended && !this.begins?.data[row]) continue;
      stack.copyWithin(row * length, row * length + this.unit, (row + 1) * length);
      if (!ended) {
        // An agent may come back long after its last episode ended.
        if (this.begins?.data[row]) this.fill(row);
        else this.put(stack, row, frames - 1, (this.inner.observation as Tensor).data);
        continue;
      }
      this.put(stack, row, frames - 1, (this.inner.final as Tensor).data);
      for (let i = row * length; i < (row + 1) * length; i++) final[i] = stack[i];
      this.fill(row);
    }
  }

  private fill(row: number): void {
    for (let frame = 0; frame < this.frames; frame++)
      this.put((this.observation as Tensor).data, row, frame, (this.inner.observation as Tensor).data);
  }

  private put(stack: TypedArray, row: number, frame: number, from: TypedArray): void {
    const { frames, size, unit } = this;
    for (let i = 0; i < size; i++) {
      const group = Math.floor(i / unit);
      stack[row * frames * size + (group * frames + frame) * unit + (i - group * unit)] =
        from[row * size + i];
    }
  }
}

function stacked(space: Space, frames: number, id: string): Space {
  if (space.kind === "image") return image(space.height, space.width, space.channels * frames);
  if (space.kind !== "box")
    return fail("frameStack", `${id} observes ${showSpace(space)}; only boxes and images can be stacked.`);
  const repeat = (bound: number | readonly number[]) =>
    typeof bound === "number" ? bound : Array.from({ length: frames }, () => bound).flat();
  return box([frames, ...space.shape], repeat(space.low), repeat(space.high));
}
