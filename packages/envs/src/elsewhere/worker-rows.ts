import { pathToFileURL } from "node:url";
import { receiveMessageOnPort } from "node:worker_threads";
import {
  columns,
  type Env,
  isNumberArray,
  requireAtOnce,
  type Snapshot,
  type VectorEnv,
  vectorise,
} from "@reins/core";
import { leaves, Tensor } from "@reins/tensor";
import { makerIn } from "./from-module.ts";
import { copyNumbers } from "./mirror.ts";
import { outlinesOf, resultLeaves, SharedColumns } from "./shared-columns.ts";
import { type Call, type Started, signals, type WorkerData } from "./worker-signals.ts";

/** What the environment's file makes, in columns. */
async function made({ file, options, copies }: WorkerData): Promise<{ env: VectorEnv; savable: boolean }> {
  const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const make = makerIn(exported, file);
  const first = make(options, copies);
  if ("rows" in first) return { env: first, savable: true };
  const savable = "save" in first && first.save !== undefined && (first as Env).restore !== undefined;
  const env = vectorise((i) => (i === 0 ? first : make(options, 1)) as Env, copies);
  return { env, savable };
}

/** A snapshot that another thread can be sent: arrays in the place of tensors, which are restored from either. */
function withoutTensors(saved: Snapshot): Snapshot {
  if (saved instanceof Tensor) return saved.data.slice();
  if (typeof saved !== "object" || saved === null || isNumberArray(saved)) return saved;
  if (Array.isArray(saved)) return saved.map(withoutTensors);
  return Object.fromEntries(
    Object.entries(saved).map(([name, part]) => [name, withoutTensors(part as Snapshot)]),
  );
}

/** Waits for a signal, does what it says, and signals back. */
function serve(
  env: VectorEnv,
  { signal, port }: WorkerData,
  tell: (what: number) => void,
  failed: (error: unknown) => void,
): void {
  const action = columns(env.spec.action, env.rows);
  const acted = leaves(action);
  const results = resultLeaves(env);
  let shared: SharedColumns | undefined;
  const show = () => {
    for (let i = 0; i < results.length; i++) copyNumbers(results[i].data, shared!.results[i]);
    shared!.returns.set(env.ended.return);
    shared!.lengths.set(env.ended.length);
  };
  const answer = (asked: Call): unknown => {
    if (asked.call === "share") shared = new SharedColumns(acted, results, env.rows, asked.memory);
    else if (asked.call === "reset") {
      env.reset({ seed: asked.seeds, context: asked.context });
      requireAtOnce(env, "a worker");
      show();
    } else if (asked.call === "save") return withoutTensors(env.save());
    else if (asked.call === "restore") {
      env.restore(asked.from);
      show();
    } else if (asked.call === "render") return env.render?.(asked.row);
    else env.close?.();
    return undefined;
  };
  for (;;) {
    Atomics.wait(signal, 0, signals.idle);
    const what = Atomics.load(signal, 0);
    try {
      if (what === signals.step) {
        for (let i = 0; i < acted.length; i++) copyNumbers(shared!.actions[i], (acted[i] as Tensor).data);
        env.step(action);
        show();
      } else {
        const asked = receiveMessageOnPort(port)!.message as Call;
        port.postMessage({ value: answer(asked) });
      }
      tell(signals.idle);
    } catch (error) {
      failed(error);
      // Until the other thread has read of it.
      Atomics.wait(signal, 0, signals.failed);
    }
  }
}

/** Makes the environment, says what it is like, and plays until the thread is ended. */
export async function play(data: WorkerData, tell: (what: number) => void, failed: (error: unknown) => void) {
  const { env, savable } = await made(data);
  const renders = env.render !== undefined;
  const started: Started = { spec: env.spec, outlines: outlinesOf(env), savable, renders };
  data.port.postMessage({ value: started });
  tell(signals.idle);
  serve(env, data, tell, failed);
}
