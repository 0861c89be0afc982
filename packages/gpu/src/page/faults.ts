import { add, availableBackends, compile, mul, scan, type Tensor, tensor, zeros } from "@reins/tensor";
import { provideBackend } from "../../../tensor/dist/backends/choose.js";
import { Gpu } from "../../../tensor/dist/backends/webgpu/gpu.js";
import { enableWebGPU, webGpuCompiler } from "../../../tensor/dist/backends/webgpu/webgpu.js";
import { differences, readAll } from "./agreement.ts";
import { somePrimitives } from "./operations.ts";
import { attempt, type Section } from "./section.ts";

const f = (x: Tensor) => mul(add(x, 1), 2);
const three = () => tensor(Float32Array.of(1, 2, 3));

/** The message of what `body` throws must match. */
async function refused(body: () => unknown, message: RegExp): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (message.test((error as Error).message)) return;
    throw error;
  }
  throw new Error(`nothing was thrown, instead of ${message}`);
}

function equal(got: ArrayLike<number>, want: readonly number[]): void {
  if (`${Array.from(got)}` !== `${want}`) throw new Error(`[${Array.from(got)}] instead of [${want}]`);
}

const provide = (device: GPUDevice, firstRegion?: number) =>
  provideBackend({ name: "webgpu", threads: 1, compiler: webGpuCompiler(new Gpu(device, firstRegion)) });

export const newDevice = async (): Promise<GPUDevice> =>
  (await (await navigator.gpu.requestAdapter())!.requestDevice())!;

const late = /the GPU has the values\. Write `await tensor\.read\(\)`/;

const cases: { readonly [what: string]: () => Promise<unknown> } = {
  "values that only the GPU has are read asynchronously": async () => {
    const y = compile(f, { backend: "webgpu" })(three());
    for (const read of [() => y.data, () => y.toArray(), () => compile(f, { backend: "wasm" })(y)])
      await refused(read, late);
    equal(await y.read(), [4, 6, 8]);
    equal(y.data, [4, 6, 8]);
  },
  "reading gives the values at the time of the call": async () => {
    const x = three();
    const bound = compile(f, { backend: "webgpu", donate: [0] }).bind(x);
    bound.run();
    const early = x.read();
    bound.run();
    equal(await early, [4, 6, 8]);
    await refused(() => x.data, late);
    equal(await x.read(), [10, 14, 18]);
    x.set([0, 0, 0]);
    bound.run();
    equal(await x.read(), [2, 2, 2]);
  },
  "arrays that callers keep are read before every run": async () => {
    const x = three();
    const bound = compile(f, { backend: "webgpu" }).bind(x);
    bound.run();
    const { data } = x;
    bound.run();
    data[0] = 10;
    bound.run();
    equal(await bound.result.read(), [22, 6, 8]);
  },
  "a function that the host reads at once runs on WebAssembly": async () => {
    equal(compile(f, { host: true })(three()).data, [4, 6, 8]);
    equal(await compile(f, { backend: "webgpu" })(three()).read(), [4, 6, 8]);
  },
  "loops run as long as memory says, nested too": async () => {
    const loops = (n: Tensor) => {
      const step = (c: Tensor): readonly [Tensor, Tensor] => [add(c, 1), mul(c, 2)];
      const { carry, ys } = scan(
        (c: Tensor) => {
          const inner = scan(step, c, undefined, { length: 4, count: n });
          return [inner.carry, inner.ys] as const;
        },
        zeros([3]),
        undefined,
        { length: 3, count: n },
      );
      return [carry, ys as Tensor];
    };
    const [gpu, cpu] = (["webgpu", "wasm"] as const).map((backend) => compile(loops, { backend }));
    for (const n of [0, 1, 2, 7, -1]) {
      const count = tensor(Int32Array.of(n), { shape: [] });
      const wrong = differences(await readAll(gpu(count)), await readAll(cpu(count)), 0);
      if (wrong) throw new Error(`count ${n}: ${wrong}`);
    }
  },
  "a lost device says what to do, and another one can follow": async () => {
    const device = await newDevice();
    provide(device);
    const bound = compile(f, { backend: "webgpu" }).bind(three());
    bound.run();
    device.destroy();
    await refused(
      () => bound.result.read(),
      /The GPU was lost .*enableWebGPU\(\) again, or setBackend\("wasm"\)/,
    );
    await refused(() => bound.run(), /The GPU was lost/);
    provide(await newDevice());
    equal(await compile(f, { backend: "webgpu" })(three()).read(), [4, 6, 8]);
  },
  "too little memory says how much is missing": async () => {
    const device = await newDevice();
    provide(device);
    const { maxStorageBufferBindingSize } = device.limits;
    const gpu = new Gpu(device);
    await refused(
      () => gpu.allocate(maxStorageBufferBindingSize + 1),
      /too little memory: \d+ bytes were requested, 0 are in use.*smaller batches/,
    );
    equal(await compile(f, { backend: "webgpu" })(three()).read(), [4, 6, 8]);
  },
  "without an adapter functions stay on the CPU, with a reason": async () => {
    const { warn } = console;
    let said = "";
    console.warn = (text: string) => (said += text);
    try {
      const none = { requestAdapter: async () => null } as Pick<GPU, "requestAdapter"> as GPU;
      if (await enableWebGPU({ gpu: none })) throw new Error("WebGPU was enabled");
    } finally {
      console.warn = warn;
    }
    if (!/on the CPU instead of WebGPU: the browser has no adapter/.test(said))
      throw new Error(`said: ${said}`);
    if (!availableBackends().includes("webgpu")) throw new Error("the earlier GPU was forgotten");
    equal(await compile(f, { backend: "webgpu" })(three()).read(), [4, 6, 8]);
  },
};

/** What a user meets when something is missing, late or lost. */
export const faults: Section = async function* (count) {
  for (const [what, check] of Object.entries(cases).slice(0, count))
    yield { what, ...(await attempt(async () => void (await check()))) };
};

/** Memory in many small regions, so that the tensors of a program lie in several. */
export const regions: Section = async function* (count) {
  provide(await newDevice(), 2 ** 15);
  yield* somePrimitives(count);
};
