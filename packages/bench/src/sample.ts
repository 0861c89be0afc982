/** A function to time. Calls are awaited only if they are asynchronous. */
export interface Timed {
  run(): unknown;
  readonly asynchronous?: boolean;
  /** Waits for pending work; included in the time. */
  finish?(): Promise<unknown>;
}

const now = () => performance.now() / 1e3;

async function seconds(timed: Timed, calls: number): Promise<number> {
  const start = now();
  if (timed.asynchronous) for (let i = 0; i < calls; i++) await timed.run();
  else for (let i = 0; i < calls; i++) timed.run();
  if (timed.finish) await timed.finish();
  return (now() - start) / calls;
}

/** Warms up; returns the number of calls per sample that the clock resolves well. */
export async function warmUp(timed: Timed, budget: number): Promise<number> {
  const end = now() + budget;
  let calls = 1;
  let each = await seconds(timed, 1);
  for (let n = 1; n < 3 || now() < end; n++) {
    each = await seconds(timed, calls);
    calls = Math.max(1, Math.min(100_000, Math.ceil(1e-3 / each)));
  }
  return calls;
}

/** Seconds per call, repeated within the time budget, at least twice. */
export async function sample(timed: Timed, calls: number, budget: number): Promise<number[]> {
  const samples: number[] = [];
  const end = now() + budget;
  while (samples.length < 2 || now() < end) samples.push(await seconds(timed, calls));
  return samples;
}
