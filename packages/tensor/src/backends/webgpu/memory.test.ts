import { expect, it } from "vitest";
import { RegionMemory } from "./memory.ts";

/** The parts of a device that memory uses, with limits that a test reaches. */
function memoryOf(most: number, regions: number, smallest: number) {
  const sizes: number[] = [];
  const limits = {
    maxBufferSize: most,
    maxStorageBufferBindingSize: most,
    maxStorageBuffersPerShaderStage: regions + 1,
  };
  const device = {
    limits: limits as GPUSupportedLimits,
    createBuffer: ({ size }: GPUBufferDescriptor) => {
      sizes.push(size);
      return {} as GPUBuffer;
    },
  };
  return { memory: new RegionMemory(device, smallest), sizes };
}

it("blocks share regions, do not overlap, and start at multiples of 256", () => {
  const { memory, sizes } = memoryOf(2 ** 20, 4, 4096);
  const blocks = [1, 300, 4, 1000].map((n) => memory.allocate(n));
  expect(blocks.map((b) => b.offset)).toEqual([0, 256, 768, 1024]);
  expect(sizes).toEqual([4096]);
  expect(memory.used).toBe(256 + 512 + 256 + 1024);
});

it("neighbours that were released become one piece", () => {
  const { memory, sizes } = memoryOf(2 ** 20, 4, 4096);
  const blocks = Array.from({ length: 4 }, () => memory.allocate(1024));
  for (const i of [1, 3, 2]) blocks[i].release();
  blocks[2].release();
  expect(memory.allocate(3072).offset).toBe(1024);
  expect(sizes).toEqual([4096]);
});

it("a further region is twice as large, or as large as the block", () => {
  const { memory, sizes } = memoryOf(2 ** 20, 4, 4096);
  for (const n of [4096, 100, 100_000]) memory.allocate(n);
  expect(sizes).toEqual([4096, 8192, 100_096]);
});

it("names the sizes when there is too little", () => {
  const { memory } = memoryOf(8192, 2, 4096);
  memory.allocate(4096);
  expect(() => memory.allocate(8193)).toThrow(
    /8193 bytes were requested, 4096 are in use, and a buffer may have 8192 bytes\. Use smaller batches/,
  );
  memory.allocate(8192);
  expect(() => memory.allocate(1)).toThrow(/too little memory/);
});
