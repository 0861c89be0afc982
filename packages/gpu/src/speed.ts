import { add, compile, mul, scan, type Tensor, tanh, zeros } from "@reins/tensor";
import { cublasWorkspace, openCublas } from "../../tensor/dist/backends/cuda/cublas.js";
import { type Driver, openDriver } from "../../tensor/dist/backends/cuda/driver.js";
import { gemmFields, gemmLaunch, gemmWords } from "../../tensor/dist/backends/cuda/gemm.js";
import { libraryText } from "../../tensor/dist/backends/cuda/library.js";
import { openNvrtc } from "../../tensor/dist/backends/cuda/nvrtc.js";
import { placeWord } from "../../tensor/dist/backends/cuda/prelude.js";
import { type Row, type Section, timed } from "./section.ts";

/** Seconds per call of queued work: the best of three rounds. */
function perCall(calls: number, call: () => void, wait: () => void): number {
  call();
  wait();
  const rounds = Array.from({ length: 3 }, () =>
    timed(() => {
      for (let i = 0; i < calls; i++) call();
      wait();
    }),
  );
  return Math.min(...rounds.map((r) => r.seconds)) / calls;
}

/** Square products in exact f32 beside cuBLAS on the same memory. */
function product(driver: Driver, n: number): Row {
  const bytes = 4 * n * n;
  const [a, b, c, table] = [bytes, bytes, bytes, 64].map((size) => driver.allocate(size));
  if (!a || !b || !c || !table)
    return { what: `product ${n}³`, result: "the GPU has too little memory", failed: true };
  const values = new Float32Array(n * n);
  for (let i = 0; i < values.length; i++) values[i] = ((i * 7919) % 2048) / 1024 - 1;
  for (const to of [a, b]) driver.upload(to, values);
  driver.upload(table, BigUint64Array.from([0, a, b, c].map(BigInt)));
  const step = {
    ...{
      kind: "gemm" as const,
      m: n,
      n,
      k: n,
      cRow: n,
      batch: [],
      precision: "f32" as const,
      barrier: false,
    },
    ...{ a: { buffer: 0, offset: 0 }, b: { buffer: 1, offset: 0 }, c: { buffer: 2, offset: 0 } },
    aStrides: [n, 1] as const,
    bStrides: [n, 1] as const,
  };
  const words = new BigInt64Array(gemmWords);
  const places = [1, 2, 3].map((w) => placeWord(w, 0));
  [BigInt(table), 0, 0, ...places, -1, ...gemmFields(step)].forEach((w, i) => {
    words[i] = BigInt(w);
  });
  const { name, grid, block = 256 } = gemmLaunch(step)!;
  const kernel = driver.load(openNvrtc().compile(libraryText(), driver.architecture)).kernel(name);
  const calls = n > 5000 ? 5 : 20;
  const rate = (seconds: number) => (2 * n ** 3) / seconds / 1e9;
  const own = rate(
    perCall(
      calls,
      () => driver.launch(kernel, grid, block, words),
      () => driver.synchronise(),
    ),
  );
  const workspace = driver.allocate(cublasWorkspace) ?? 0;
  const peer = openCublas(driver.stream, workspace);
  const theirs =
    "reason" in peer
      ? 0
      : rate(
          perCall(
            calls,
            () => peer.single(n, a, b, c),
            () => driver.synchronise(),
          ),
        );
  for (const address of [a, b, c, table, workspace]) driver.free(address);
  const beside =
    "reason" in peer ? peer.reason : `cuBLAS ${theirs.toFixed(0)}: ${(own / theirs).toFixed(2)} ×`;
  return {
    what: `product ${n}³`,
    result: `${own.toFixed(0)} GFLOP/s; ${beside}`,
    numbers: { own, cublas: theirs },
  };
}

/** Microseconds of small programs. */
function* launches(): Iterable<Row> {
  const x = zeros([1024]);
  const plain = compile((t: Tensor) => add(t, 1), { backend: "cuda", donate: [0] }).bind(x);
  const read = () => plain.result.toArray();
  const runAndRead = (f: { run(): void; result: Tensor }) => (): void => {
    f.run();
    f.result.toArray();
  };
  const row = (what: string, seconds: number): Row => ({
    what,
    result: `${(seconds * 1e6).toFixed(2)} µs`,
    numbers: { micros: seconds * 1e6 },
  });
  yield row("queueing a run of one kernel", perCall(1000, plain.run, read));
  yield row(
    "running it and reading 4 KiB",
    perCall(200, runAndRead(plain), () => {}),
  );
  const length = 500;
  const loop = compile((t: Tensor) => scan((s: Tensor) => [tanh(mul(s, 0.5)), []], t, [], { length }).carry, {
    backend: "cuda",
  }).bind(zeros([1024]));
  const whole = perCall(20, runAndRead(loop), () => {});
  yield row("an iteration of a loop of 500", whole / length);
}

/** How fast the GPU is. Nothing here is compared bit for bit. */
export const speed: Section = {
  name: "speed",
  *rows({ large }) {
    if (!large) return;
    yield* launches();
    const driver = openDriver();
    for (const n of [4096, 8192]) yield product(driver, n);
  },
};
