import { sft } from "@reins/algorithms";
import {
  type Algorithm,
  defaultSeed,
  type Metrics,
  Run,
  type Snapshot,
  type Stage,
  stream,
  type Task,
  tasks,
  text,
} from "@reins/core";
import { characters, type Family, type LanguageModel, newModel, textStage } from "@reins/language";
import { leaves, random } from "@reins/tensor";
import type { WarmStart } from "./book/warm.ts";
import type { Outcome } from "./outcome.ts";

/** A family of problems and a tiny model that has imitated its answers for a while: what reinforcement begins with. */
export interface WordsOptions {
  readonly family: Family;
  /** Levels that are imitated, in equal shares; the first is where the stage plays unless its problems say otherwise. */
  readonly levels: readonly number[];
  /** The model's blocks, width and heads (default 2, 64, 4). */
  readonly layers?: number;
  readonly width?: number;
  readonly heads?: number;
  /** Answer tokens that are imitated. */
  readonly imitation: number;
  /** Afterwards a less reliable teacher is imitated for so many tokens, whose answers are those of other problems at this share. The
   * model then knows more than it says, as one does that has read much. */
  readonly unreliable?: { readonly tokens: number; readonly wrong: number };
  /** Most tokens of an answer, if not the family's own. */
  readonly limit?: number;
  /** Texts that are written at the same time (default 256). */
  readonly rows?: number;
  /** Chooses the first weights and what is imitated (default 0). */
  readonly from?: number;
}

/** The stage of a family, and the model it begins with. */
function stageFor(o: WordsOptions, start: LanguageModel, level = o.levels[0]): Stage {
  const { family, limit, rows = 256 } = o;
  return textStage({ family, level, start, tokenizer: characters(family.alphabet), rows, limit });
}

/** A model from nothing. */
function fresh({
  family,
  layers = 2,
  width = 64,
  heads = 4,
  limit = 0,
  from = defaultSeed,
}: WordsOptions): LanguageModel {
  const { prompt, answer } = family.longest;
  const { size } = characters(family.alphabet);
  const context = 16 * Math.ceil((prompt + Math.max(answer, limit) + 2) / 16);
  return newModel(
    { layers, width, heads, context, vocabulary: size, style: "llama" },
    random.key(stream(from, "model")),
  );
}

/** Where a run takes place whose episodes are texts. */
const place = (o: WordsOptions, stage: Stage) => ({
  spec: {
    id: o.family.id,
    observation: text(o.family.longest.prompt),
    action: text(o.family.longest.answer),
  },
  stage,
});

/** The imitated model as a warm start, shared by all recipes that ask for the same. */
export function imitated(o: WordsOptions): WarmStart<LanguageModel> {
  const { family, ...rest } = o;
  return {
    name: `imitated-${family.id}`,
    module: import.meta.url,
    inputs: { family: family.id, ...rest },
    async make() {
      let teachers = 0;
      const imitate = async (teacher: Family, start: LanguageModel, steps: number, learningRate: number) => {
        // Apart from what is played later with the same seed.
        const seed = stream(o.from ?? defaultSeed, "imitation", teachers++);
        const run = new Run({
          algorithm: sft({ batch: 128, learningRate }),
          env: place(o, stageFor({ ...o, family: teacher }, start)),
          task: mixed(o.levels, 128, 1, seed),
          steps,
          seed,
        });
        await run.advanceAsync();
        return { ...start, params: run.process.acting!.weights as LanguageModel["params"] };
      };
      const reliable = await imitate(family, fresh(o), o.imitation, 3e-3);
      const { tokens = 0, wrong = 0 } = o.unreliable ?? {};
      const { params } =
        tokens > 0 ? await imitate(unreliable(family, wrong), reliable, tokens, 1e-3) : reliable;
      const all = leaves(params).map((t) => t.data as Float32Array);
      const bytes = new Float32Array(all.reduce((n, d) => n + d.length, 0));
      let at = 0;
      for (const d of all) {
        bytes.set(d, at);
        at += d.length;
      }
      return new Uint8Array(bytes.buffer);
    },
    read(bytes) {
      const start = fresh(o);
      const values = new Float32Array(bytes.slice().buffer);
      let at = 0;
      for (const t of leaves(start.params)) {
        t.data.set(values.subarray(at, at + t.size));
        at += t.size;
      }
      return start;
    },
  };
}

/** A family whose teacher sometimes gives the answer of another problem. */
function unreliable(family: Family, share: number): Family {
  return {
    ...family,
    make(generator, level) {
      const problem = family.make(generator, level);
      const wrong = generator.random() < share;
      return wrong ? { ...problem, answer: family.make(generator, level).answer } : problem;
    },
  };
}

/** Problems of several levels, in equal shares. */
export function mixed(levels: readonly number[], groups: number, plays = 1, seed = defaultSeed): Task {
  const parts = levels.map((level, i) =>
    tasks.endless({
      seed: stream(seed, "tasks", i),
      groups: Math.floor(groups / levels.length) + (i < groups % levels.length ? 1 : 0),
      plays,
      more: { key: `level ${level}`, context: { level } },
    }),
  );
  return {
    next: (statistics) => parts.flatMap((p) => p.next(statistics)),
    save: () => parts.map((p) => p.save!()),
    restore: (from) => parts.forEach((p, i) => p.restore!((from as Snapshot[])[i])),
  };
}

/** Settings of {@link reinforced}. */
export interface ReinforcedOptions extends WordsOptions {
  readonly start: LanguageModel;
  readonly algorithm: Algorithm;
  /** Tokens that may be written. */
  readonly steps: number;
  readonly seed: number;
  /** Problems, if not the algorithm's own. */
  readonly task?: Task;
  /** Changes the stage before anything is played: another judge, another way to play. */
  readonly change?: (stage: Stage) => Stage;
  /** Levels that are measured, with equal weight; those that were imitated by default. */
  readonly measured?: readonly number[];
  /** Whether answers are measured without chance (default false). */
  readonly greedy?: boolean;
  /** Held-out problems of each level (default 200). */
  readonly problems?: number;
  /** Times that accuracy is measured on the way, evenly spaced, the end among them (default 4). */
  readonly looks?: number;
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
}

/** What a run in words came to. */
export interface Reinforced extends Outcome {
  /** Held-out accuracy before anything was learned. */
  readonly before: number;
  /** The same at each look, the mean over levels. The last is `accuracy`. */
  readonly curve: readonly number[];
  /** At the end, a number a level: share solved, and mean tokens of an answer. */
  readonly byLevel: readonly { readonly level: number; readonly solved: number; readonly tokens: number }[];
  readonly run: Run;
}

/** Reinforces an imitated model: `accuracy` is that at the end, `area` the mean of the curve. */
export async function reinforced(o: ReinforcedOptions): Promise<Reinforced> {
  const { change = (s: Stage) => s, measured = o.levels, problems = 200, looks = 4, also = [] } = o;
  const stage = change(stageFor(o, o.start));
  const run = new Run({
    algorithm: o.algorithm,
    env: place(o, stage),
    task: o.task,
    steps: o.steps,
    seed: o.seed,
  });
  const scales = measured.map((level) => ({ level, stage: stageFor(o, o.start, level) }));
  const look = async () =>
    Promise.all(
      scales.map(async ({ level, stage: s }) => {
        const seen = await s.evaluate(run.process.acting!.weights, {
          episodes: problems,
          seed: o.seed,
          greedy: o.greedy ?? false,
        });
        const tokens = seen.lengths.reduce((a, b) => a + b, 0) / seen.lengths.length;
        return { level, solved: seen.returns.filter((r) => r >= 1).length / seen.returns.length, tokens };
      }),
    );
  const mean = (all: readonly { solved: number }[]) => all.reduce((s, l) => s + l.solved, 0) / all.length;
  const early: number[] = [];
  const sums = new Map(also.map((name) => [name, { total: 0, count: 0 }]));
  const curve: number[] = [];
  let byLevel = [] as Awaited<ReturnType<typeof look>>;
  const before = mean(await look());
  while (!run.finished) {
    const metrics: Metrics = await run.round();
    if (early.length < 9)
      early.push(
        ...Object.keys(metrics)
          .filter((n) => n.startsWith("loss/"))
          .map((n) => metrics[n]),
      );
    for (const [name, s] of sums)
      if (Number.isFinite(metrics[name])) {
        s.total += metrics[name];
        s.count++;
      }
    while (curve.length < looks - 1 && run.steps >= ((curve.length + 1) * o.steps) / looks)
      curve.push(mean(await look()));
  }
  byLevel = await look();
  curve.push(mean(byLevel));
  return {
    values: {
      accuracy: curve[curve.length - 1],
      before,
      area: curve.reduce((a, b) => a + b, 0) / curve.length,
      ...Object.fromEntries([...sums].map(([name, s]) => [name, s.total / s.count])),
    },
    early,
    used: run.steps,
    before,
    curve,
    byLevel,
    run,
  };
}
