import { type Foreign, type ForeignLibrary, loadForeign, type Word } from "../native/foreign.ts";
import { CudaError, driverError } from "./errors.ts";

/** The driver's functions that are used here, by name: handles and addresses are numbers, results are written into arrays. */
interface Functions {
  cuInit(flags: number): number;
  cuDriverGetVersion(version: Int32Array): number;
  cuGetErrorName(code: number, text: BigUint64Array): number;
  cuDeviceGetCount(count: Int32Array): number;
  cuDeviceGet(device: Int32Array, number: number): number;
  cuDeviceGetName(name: Uint8Array, length: number, device: number): number;
  cuDeviceGetAttribute(value: Int32Array, attribute: number, device: number): number;
  cuDevicePrimaryCtxRetain(context: BigUint64Array, device: number): number;
  cuCtxSetCurrent(context: Word): number;
  cuMemGetInfo_v2(free: BigUint64Array, total: BigUint64Array): number;
  cuMemAlloc_v2(address: BigUint64Array, bytes: number): number;
  cuMemFree_v2(address: number): number;
  cuMemcpyHtoDAsync_v2(to: number, from: ArrayBufferView, bytes: number, stream: Word): number;
  cuMemcpyDtoHAsync_v2(to: ArrayBufferView, from: number, bytes: number, stream: Word): number;
  cuStreamCreate(stream: BigUint64Array, flags: number): number;
  cuStreamSynchronize(stream: Word): number;
  cuStreamBeginCapture_v2(stream: Word, mode: number): number;
  cuStreamEndCapture(stream: Word, graph: BigUint64Array): number;
  cuStreamGetCaptureInfo_v2(
    stream: Word,
    status: Int32Array,
    id: BigUint64Array,
    graph: BigUint64Array,
    nodes: BigUint64Array,
    count: BigUint64Array,
  ): number;
  cuStreamUpdateCaptureDependencies(
    stream: Word,
    nodes: BigUint64Array,
    count: number,
    flags: number,
  ): number;
  cuGraphInstantiateWithFlags(executable: BigUint64Array, graph: Word, flags: number): number;
  cuGraphLaunch(executable: Word, stream: Word): number;
  cuGraphDestroy(graph: Word): number;
  cuGraphExecDestroy(executable: Word): number;
  cuModuleLoadData(module: BigUint64Array, image: Uint8Array): number;
  cuModuleUnload(module: Word): number;
  cuModuleGetFunction(kernel: BigUint64Array, module: Word, name: string): number;
  cuEventCreate(event: BigUint64Array, flags: number): number;
  cuEventRecord(event: Word, stream: Word): number;
  cuEventElapsedTime(milliseconds: Float32Array, from: Word, to: Word): number;
  cuLaunchKernel(
    kernel: Word,
    ...rest: [
      gridX: number,
      gridY: number,
      gridZ: number,
      blockX: number,
      blockY: number,
      blockZ: number,
      shared: number,
      stream: Word,
      args: ArrayBufferView[],
      extra: null,
    ]
  ): number;
}

const handle = "uintptr_t";
const prototypes: { readonly [K in keyof Functions]: string } = {
  cuInit: "uint32_t flags",
  cuDriverGetVersion: "void *version",
  cuGetErrorName: "int code, void *text",
  cuDeviceGetCount: "void *count",
  cuDeviceGet: "void *device, int number",
  cuDeviceGetName: "void *name, int length, int device",
  cuDeviceGetAttribute: "void *value, int attribute, int device",
  cuDevicePrimaryCtxRetain: "void *context, int device",
  cuCtxSetCurrent: `${handle} context`,
  cuMemGetInfo_v2: "void *free, void *total",
  cuMemAlloc_v2: "void *address, size_t bytes",
  cuMemFree_v2: `${handle} address`,
  cuMemcpyHtoDAsync_v2: `${handle} to, void *from, size_t bytes, ${handle} stream`,
  cuMemcpyDtoHAsync_v2: `void *to, ${handle} from, size_t bytes, ${handle} stream`,
  cuStreamCreate: "void *stream, uint32_t flags",
  cuStreamSynchronize: `${handle} stream`,
  cuStreamBeginCapture_v2: `${handle} stream, int mode`,
  cuStreamEndCapture: `${handle} stream, void *graph`,
  cuStreamGetCaptureInfo_v2: `${handle} stream, void *status, void *id, void *graph, void *nodes, void *count`,
  cuStreamUpdateCaptureDependencies: `${handle} stream, void *nodes, size_t count, uint32_t flags`,
  cuGraphInstantiateWithFlags: `void *executable, ${handle} graph, uint64_t flags`,
  cuGraphLaunch: `${handle} executable, ${handle} stream`,
  cuGraphDestroy: `${handle} graph`,
  cuGraphExecDestroy: `${handle} executable`,
  cuModuleLoadData: "void *module, void *image",
  cuModuleUnload: `${handle} module`,
  cuModuleGetFunction: `void *kernel, ${handle} module, const char *name`,
  cuEventCreate: "void *event, uint32_t flags",
  cuEventRecord: `${handle} event, ${handle} stream`,
  cuEventElapsedTime: `void *milliseconds, ${handle} from, ${handle} to`,
  cuLaunchKernel: `${handle} kernel, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, ${handle} stream, void **args, void *extra`,
};

/** Attributes of a device, by the driver's numbers. */
const attributes = { major: 75, minor: 76, processors: 16, clock: 13, memoryClock: 36, memoryWidth: 37 };
/** The flag of `cuStreamUpdateCaptureDependencies` that replaces the dependencies. */
const setDependencies = 1;
/** The driver's code for missing memory, and the oldest driver: CUDA 12.0 has every function above. */
const outOfMemory = 2;
const oldestDriver = 12000;

/** The CUDA driver with one device: each method checks the driver's code and throws a named error. */
export interface Driver {
  readonly deviceName: string;
  /** The architecture for NVRTC, such as "sm_90". */
  readonly architecture: string;
  readonly version: number;
  readonly processors: number;
  /** Cycles of a multiprocessor, and bytes of memory, per second. */
  readonly clock: number;
  readonly memoryBandwidth: number;
  /** The stream of all work. */
  readonly stream: Word;
  /** Whether the CPU emulates the GPU: NVIDIA's libraries then have nothing to run on. */
  readonly emulated: boolean;
  /** The address of new memory, or undefined if there is not enough. */
  allocate(bytes: number): number | undefined;
  free(address: number): void;
  /** Free and total bytes. */
  memory(): { readonly free: number; readonly total: number };
  upload(to: number, from: ArrayBufferView): void;
  download(from: number, to: ArrayBufferView): void;
  synchronise(): void;
  load(image: Uint8Array): Module;
  launch(kernel: Word, grid: readonly [number, number, number], block: number, args: ArrayBufferView): void;
  /** Milliseconds that the GPU takes for the work that `queue` queues. Waits for it. */
  time(queue: () => void): number;
  /**
   * Records what `queue` gives to `record`, without running it. Work that is recorded without `waits` may run at the same time as all
   * other work since the last that waits; work that waits starts after everything before it.
   */
  capture(queue: (record: (waits: boolean, work: () => void) => void) => void): Graph;
}

export interface Module {
  kernel(name: string): Word;
}

export interface Graph {
  launch(): void;
  destroy(): void;
}

const libraries = ["libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"];

function open(foreign: Foreign, path: string | undefined): ForeignLibrary {
  const errors: string[] = [];
  for (const name of path ? [path] : libraries) {
    try {
      return foreign.load(name);
    } catch (error) {
      errors.push((error as Error).message.split("\n")[0]);
    }
  }
  throw new CudaError(
    `The CUDA back end needs the NVIDIA driver, whose library libcuda.so.1 could not be loaded (${errors[0]}). Install the driver, or use REINS_BACKEND=native.`,
  );
}

/** Opens the driver with device number `number` of those that CUDA_VISIBLE_DEVICES shows. */
export function openDriver(number = 0, path?: string): Driver {
  const foreign = loadForeign();
  const library = open(foreign, path);
  const functions = {} as Record<keyof Functions, (...args: never[]) => number>;
  for (const [name, args] of Object.entries(prototypes)) {
    try {
      functions[name as keyof Functions] = library.func(`int ${name}(${args})`);
    } catch {
      throw new CudaError(
        `The NVIDIA driver is too old: it has no ${name}. Update it to a version for CUDA 12 or later.`,
      );
    }
  }
  const cu = functions as unknown as Functions;
  const nameOf = (code: number) => {
    const text = new BigUint64Array(1);
    return cu.cuGetErrorName(code, text) === 0 && text[0] !== 0n
      ? foreign.decode(text[0], "char", -1)
      : "an unknown error";
  };
  const check = (what: string, code: number): void => {
    if (code !== 0) throw driverError(what, code, nameOf(code));
  };
  const word = (what: string, call: (out: BigUint64Array) => number): number => {
    const out = new BigUint64Array(1);
    check(what, call(out));
    return Number(out[0]);
  };
  const int = (what: string, call: (out: Int32Array) => number): number => {
    const out = new Int32Array(1);
    check(what, call(out));
    return out[0];
  };
  check("starting the driver", cu.cuInit(0));
  const version = int("reading the driver's version", (out) => cu.cuDriverGetVersion(out));
  if (version < oldestDriver)
    throw new CudaError(
      `The NVIDIA driver is too old: it supports CUDA ${versionText(version)}. Update it to a version for CUDA 12 or later.`,
    );
  const count = int("counting GPUs", (out) => cu.cuDeviceGetCount(out));
  if (number >= count)
    throw new CudaError(
      `There is no GPU number ${number}: ${count} are visible. Check CUDA_VISIBLE_DEVICES.`,
    );
  const device = int("opening the GPU", (out) => cu.cuDeviceGet(out, number));
  const attribute = (n: number) =>
    int("reading an attribute of the GPU", (out) => cu.cuDeviceGetAttribute(out, n, device));
  const deviceName = new Uint8Array(256);
  check("reading the GPU's name", cu.cuDeviceGetName(deviceName, 256, device));
  const context = word("making a context", (out) => cu.cuDevicePrimaryCtxRetain(out, device));
  check("using the context", cu.cuCtxSetCurrent(context));
  // Flag 1: it does not wait for the default stream, which other libraries of the process may use.
  const stream = word("making a stream", (out) => cu.cuStreamCreate(out, 1));
  let events: number[] | undefined;
  /** The nodes that the next one would wait for, of the graph that is being recorded. */
  const lastNodes = (): BigUint64Array => {
    const [id, graph, nodes, count] = [0, 1, 2, 3].map(() => new BigUint64Array(1));
    const code = cu.cuStreamGetCaptureInfo_v2(stream, new Int32Array(1), id, graph, nodes, count);
    check("reading a graph", code);
    return count[0] === 0n
      ? new BigUint64Array(0)
      : BigUint64Array.from(foreign.decode(nodes[0], "uint64_t", Number(count[0])), BigInt);
  };
  const synchronise = () => check("waiting for the GPU", cu.cuStreamSynchronize(stream));
  return {
    deviceName: Buffer.from(deviceName).toString("utf8").split("\0")[0],
    architecture: `sm_${attribute(attributes.major)}${attribute(attributes.minor)}`,
    processors: attribute(attributes.processors),
    // Clocks are in kHz, widths in bits; memory moves two words a cycle.
    clock: 1000 * attribute(attributes.clock),
    memoryBandwidth: (1000 * attribute(attributes.memoryClock) * 2 * attribute(attributes.memoryWidth)) / 8,
    version,
    stream,
    emulated: path !== undefined,
    allocate(bytes) {
      const out = new BigUint64Array(1);
      const code = cu.cuMemAlloc_v2(out, bytes);
      if (code === outOfMemory) return undefined;
      check(`reserving ${bytes} bytes`, code);
      return Number(out[0]);
    },
    free: (address) => check("releasing memory", cu.cuMemFree_v2(address)),
    memory() {
      const [free, total] = [new BigUint64Array(1), new BigUint64Array(1)];
      check("reading the free memory", cu.cuMemGetInfo_v2(free, total));
      return { free: Number(free[0]), total: Number(total[0]) };
    },
    upload: (to, from) =>
      check("an upload", from.byteLength && cu.cuMemcpyHtoDAsync_v2(to, from, from.byteLength, stream)),
    download(from, to) {
      if (to.byteLength === 0) return;
      check("a download", cu.cuMemcpyDtoHAsync_v2(to, from, to.byteLength, stream));
      synchronise();
    },
    synchronise,
    load(image) {
      const module = word("loading kernels", (out) => cu.cuModuleLoadData(out, image));
      return {
        kernel: (name) => word(`finding kernel ${name}`, (out) => cu.cuModuleGetFunction(out, module, name)),
      };
    },
    launch: (kernel, [x, y, z], block, args) =>
      check("a launch", cu.cuLaunchKernel(kernel, x, y, z, block, 1, 1, 0, stream, [args], null)),
    time(queue) {
      events ??= [0, 0].map(() => word("making an event", (out) => cu.cuEventCreate(out, 0)));
      const [from, to] = events;
      check("starting a measurement", cu.cuEventRecord(from, stream));
      queue();
      check("ending a measurement", cu.cuEventRecord(to, stream));
      synchronise();
      const out = new Float32Array(1);
      check("reading a measurement", cu.cuEventElapsedTime(out, from, to));
      return out[0];
    },
    capture(queue) {
      // Mode 2: calls of other threads do not end the capture.
      check("starting a graph", cu.cuStreamBeginCapture_v2(stream, 2));
      let graph: number;
      // Nodes of the graph: those that the current ones wait for, and the current ones.
      let before = new BigUint64Array(0);
      let now: bigint[] = [];
      const record = (waits: boolean, work: () => void) => {
        if (waits) {
          before = BigUint64Array.from(now);
          now = [];
        }
        check(
          "ordering a graph",
          cu.cuStreamUpdateCaptureDependencies(stream, before, before.length, setDependencies),
        );
        work();
        now.push(...lastNodes());
      };
      try {
        queue(record);
      } finally {
        graph = word("recording a graph", (out) => cu.cuStreamEndCapture(stream, out));
      }
      const executable = word("building a graph", (out) => cu.cuGraphInstantiateWithFlags(out, graph, 0));
      check("releasing a graph", cu.cuGraphDestroy(graph));
      return {
        launch: () => check("launching a graph", cu.cuGraphLaunch(executable, stream)),
        destroy: () => check("releasing a graph", cu.cuGraphExecDestroy(executable)),
      };
    },
  };
}

const versionText = (version: number) => `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
