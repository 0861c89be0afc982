import { pathToFileURL } from "node:url";
import { type Env, fail, type VectorEnv } from "@reins/core";
import { requireSynchronous, vectorise } from "@reins/core/forms";
import { columns } from "@reins/core/spaces";
import { leaves } from "@reins/tensor";
import { runningNormaliser } from "../wrappers/running-normaliser.ts";
import {
  type Call,
  type Change,
  failureOf,
  type Job,
  type Line,
  type Question,
  type Started,
} from "./carrier.ts";
import { environmentFactory } from "./from-module.ts";
import { copyNumbers } from "./mirror.ts";
import { outlinesOf, resultLeaves, SharedColumns } from "./shared-columns.ts";
import { withoutTensors } from "./without-tensors.ts";

interface Made extends Pick<Started, "separate" | "savable"> {
  readonly env: VectorEnv;
}

/** The batched environment from the environment's file. */
async function made({ file, options, copies }: Job): Promise<Made> {
  const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const make = environmentFactory(exported, file);
  const first = make(options, copies);
  if ("rows" in first) {
    if (runningNormaliser(first))
      fail(
        first.spec.id,
        'it wraps itself in normaliseObservation, and each worker would have its own running statistics. Remove it there, and pass wrappers: ["normaliseObservation"] (--wrappers normaliseObservation) instead.',
      );
    return { env: first, separate: false, savable: first.savable !== false };
  }
  const savable = "save" in first && first.save !== undefined && (first as Env).restore !== undefined;
  const env = vectorise((i) => (i === 0 ? first : make(options, 1)) as Env, copies);
  return { env, separate: true, savable };
}

/** Handles requests in a loop. */
function serve(env: VectorEnv, line: Line): never {
  const action = columns(env.spec.action, env.rows);
  const acted = leaves(action);
  const results = resultLeaves(env);
  let shared: SharedColumns | undefined;
  const requireShared = () => shared ?? fail(env.spec.id, "a worker received a request before its columns.");
  const step = () => {
    const { actions } = requireShared();
    for (let i = 0; i < acted.length; i++) copyNumbers(actions[i], acted[i].data);
    env.step(action);
  };
  const change = (asked: Change) => {
    if (asked.call === "restore") return env.restore(asked.from);
    env.reset({ seed: asked.seeds, context: asked.context });
    requireSynchronous(env, "a worker");
  };
  const show = () => {
    const into = requireShared();
    for (let i = 0; i < results.length; i++) copyNumbers(results[i].data, into.results[i]);
    into.returns.set(env.ended.return);
    into.lengths.set(env.ended.length);
    line.changed(into);
  };
  const answer = (asked: Question): unknown => {
    if (asked.call === "share")
      shared = new SharedColumns(acted, results, env.rows, line.allocate(asked.memory));
    else if (asked.call === "save") return withoutTensors(env.save());
    else if (asked.call === "render") return env.render?.(asked.row);
    else if (asked.call === "picture") return env.picture?.(asked.row);
    else env.close?.();
    return undefined;
  };
  for (;;) {
    try {
      const asked = line.hear();
      if (asked === undefined) step();
      else if (isChange(asked)) change(asked);
      else {
        line.answer(answer(asked));
        continue;
      }
      show();
    } catch (error) {
      line.fail(failureOf(error));
    }
  }
}

const isChange = (asked: Call): asked is Change => asked.call === "reset" || asked.call === "restore";

/** Creates the environment, sends its description, and serves requests until the worker is ended. */
export async function play(job: Job, line: Line): Promise<never> {
  const { env, separate, savable } = await made(job);
  const started: Started = {
    spec: env.spec,
    outlines: outlinesOf(env),
    separate,
    savable,
    renders: env.render !== undefined,
    pictures: env.picture !== undefined,
  };
  line.answer(started);
  return serve(env, line);
}
