import { sft } from "@reins/algorithms";
import { fail, Run } from "@reins/core";
import { defaultSeed, stream } from "@reins/core/random";
import type { LanguageModel, TextTask } from "@reins/language";
import { leaves } from "@reins/tensor";
import type { WarmStart } from "../book/warm.ts";
import { mixed } from "./level-mixture.ts";
import { freshModel, stageFor, textPlace } from "./model.ts";
import type { LanguageArmOptions } from "./options.ts";
import { taskContent } from "./task-content.ts";

/** The imitated model as a warm start, shared by all runs with the same inputs. */
export function imitationStart(o: LanguageArmOptions): WarmStart<LanguageModel> {
  const { task, teacher = task, ...rest } = o;
  return {
    name: `imitated-${task.id}`,
    module: import.meta.url,
    inputs: { ...rest, task: taskContent(task), teacher: taskContent(teacher) },
    async make() {
      const { batch = 128 } = o;
      let teachers = 0;
      const imitate = async (
        teacher: TextTask,
        start: LanguageModel,
        steps: number,
        learningRate: number,
      ) => {
        // Separate from later sampling with the same seed.
        const seed = stream(o.from ?? defaultSeed, "imitation", teachers++);
        const run = new Run({
          algorithm: sft({ batch, learningRate, validation: 0 }),
          env: textPlace(o, stageFor({ ...o, task: teacher }, start)),
          task: mixed(o.levels, batch, 1, seed),
          steps,
          seed,
        });
        await run.advanceAsync();
        return { ...start, params: run.process.acting!.weights as LanguageModel["params"] };
      };
      const reliable = await imitate(teacher, freshModel(o), o.imitation, 3e-3);
      const { tokens = 0, wrong = 0 } = o.unreliable ?? {};
      const { params } =
        tokens > 0 ? await imitate(unreliable(teacher, wrong), reliable, tokens, 1e-3) : reliable;
      return written(params);
    },
    read: (bytes) => readInto(freshModel(o), bytes, task.id),
  };
}

/** All weights as bytes. */
function written(params: LanguageModel["params"]): Uint8Array {
  const all = leaves(params).map((t) => t.data as Float32Array);
  const values = new Float32Array(all.reduce((n, d) => n + d.length, 0));
  let at = 0;
  for (const d of all) {
    values.set(d, at);
    at += d.length;
  }
  return new Uint8Array(values.buffer);
}

/** The model with these weights. Throws if the size differs, because part of the model would keep its initial weights. */
function readInto(model: LanguageModel, bytes: Uint8Array, id: string): LanguageModel {
  const all = leaves(model.params);
  const expected = all.reduce((n, t) => n + t.size, 0);
  if (bytes.length !== 4 * expected)
    fail(
      `imitated-${id}`,
      `the warm start has ${bytes.length} bytes, but the model has ${expected} weights of 4 bytes. Remove it from the cache.`,
    );
  const values = new Float32Array(bytes.slice().buffer);
  let at = 0;
  for (const t of all) {
    t.data.set(values.subarray(at, at + t.size));
    at += t.size;
  }
  return model;
}

/** A language task whose teacher sometimes gives the answer of another problem. */
function unreliable(task: TextTask, share: number): TextTask {
  return {
    ...task,
    make(generator, level) {
      const problem = task.make(generator, level);
      const wrong = generator.random() < share;
      return wrong ? { ...problem, answer: task.make(generator, level).answer } : problem;
    },
  };
}
