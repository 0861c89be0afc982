import { fail } from "@reins/core";
import { type Judgement, judge } from "../claims/judge.ts";
import { type Columns, pooled, type Table } from "../claims/table.ts";
import { armsOf, isTimed, type Recipe } from "../recipe.ts";
import { named } from "./claimed-sides.ts";
import { type Continuation, continuationOf, firstLook } from "./continuation.ts";
import { type Preparation, prepare, quickPreparation, rolesOf } from "./prepare.ts";
import { type Block, blockOf, tableOf } from "./record.ts";
import type { Result } from "./result.ts";
import { recordedFirst } from "./testbed-record.ts";
import type { Job, Runner } from "./trial.ts";

/** Result of the protocol: a judgement of each claim, over all blocks and per block. */
export interface ProtocolResult extends Preparation {
  readonly blocks: readonly Block[];
  readonly judged: readonly Judgement[];
  /** What followed the first look at a recipe on a testbed. */
  readonly continuation?: Continuation;
}

/** Settings of {@link measure}. */
export interface MeasureOptions {
  /** Index of the first block of seeds (default 0). */
  readonly block?: number;
  /** Number of blocks (default 2). */
  readonly blocks?: number;
  /** Replicates per block (default: from the plan). */
  readonly replicates?: number;
  readonly quick?: boolean;
  /** An earlier preparation, which is not repeated. */
  readonly prepared?: Preparation;
  /** The recorded testbed of the recipe. */
  readonly on?: Result;
  /** Whether a recipe on a testbed goes on to the planned number of replicates whatever the first look says. */
  readonly whole?: boolean;
}

/** Seeds below 50 are for development, those below 100 for tuning; blocks of evaluation seeds start here. */
export const firstEvaluationSeed = 100;
/** Distance between the first seeds of two blocks. */
const blockLength = 1000;
/** Replicates of arms that no claim names; on a testbed they run for all, so that ablations have an interval. */
const explaining = 5;

/** The first seed of a block. */
export const blockStart = (block: number): number => firstEvaluationSeed + blockLength * block;

/**
 * The protocol: every arm is tuned with seeds from 50, the number of replicates follows from the observed spread, and only
 * then two blocks of evaluation seeds are run and their paired differences judged.
 */
export async function measure(
  recipe: Recipe,
  run: Runner,
  options: MeasureOptions = {},
): Promise<ProtocolResult> {
  const { quick = false, block = 0, blocks = quick ? 1 : 2 } = options;
  if (!(Number.isInteger(block) && block >= 0))
    fail(
      `recipe ${recipe.id}`,
      `${block} is not a valid block of evaluation seeds. Use 0, 1, 2 …; other seeds are for tuning.`,
    );
  const { on } = options;
  const done = on?.tuning.filter(({ side }) => recipe.on?.arms.includes(side));
  const runs = on ? recordedFirst(recipe, on, run) : run;
  const prepared = options.prepared ?? (quick ? quickPreparation(recipe) : await prepare(recipe, runs, done));
  const cast = rolesOf(recipe, prepared.best);
  const evaluated = async (replicates: number) => {
    const found: Block[] = [];
    for (let b = block; b < block + blocks; b++)
      // A quick trial only checks that all arms work, and uses no evaluation seed.
      found.push(
        await evaluate(recipe, runs, prepared, { firstSeed: quick ? 0 : blockStart(b), replicates, quick }),
      );
    return found;
  };
  const planned = options.replicates ?? prepared.plan.replicates;
  const looks = recipe.on && !quick && options.replicates === undefined && planned > firstLook;
  let found = await evaluated(looks && !options.whole ? firstLook : planned);
  let continuation: Continuation | undefined;
  if (looks && !options.whole) {
    continuation = continuationOf(recipe, cast, tableOfAll(found));
    if (continuation === "goes on") found = await evaluated(planned);
  }
  const all = tableOfAll(found);
  return {
    ...prepared,
    blocks: found.map((f) => ({ ...f, judged: recipe.claims.map((c) => judge(c, cast, tableOf(f))) })),
    judged: recipe.claims.map((c) => judge(c, cast, all)),
    ...(continuation && { continuation }),
  };
}

interface Evaluation {
  readonly firstSeed: number;
  readonly replicates: number;
  readonly quick: boolean;
}

/** Runs one block, replicate by replicate, so that an interrupted evaluation is paired. */
async function evaluate(
  recipe: Recipe,
  run: Runner,
  { settings, tuning }: Preparation,
  e: Evaluation,
): Promise<Block> {
  const suite = typeof recipe.replicates === "object" ? recipe.replicates : undefined;
  const each = suite
    ? suite.names
        .slice(0, e.replicates)
        .flatMap((replicate) =>
          Array.from({ length: e.quick ? 1 : suite.seeds }, (_, s) => ({ replicate, seed: e.firstSeed + s })),
        )
    : Array.from({ length: e.replicates }, (_, i) => ({ seed: e.firstSeed + i }));
  const turns = isTimed(recipe) && !e.quick ? [0, 1, 2] : [undefined];
  const sides = armsOf(recipe);
  // Each arm as tuned, followed by the rivals of arms.
  const lanes = [
    ...sides.map((_, side) => ({ side, settings: settings[side], rival: false })),
    ...tuning.flatMap(({ rivals = [] }, side) => rivals.map((r) => ({ side, settings: r, rival: true }))),
  ];
  const all = each.flatMap((which, at) =>
    turns.flatMap((turn) =>
      lanes
        .filter(
          ({ side }) =>
            side <= recipe.baselines.length || named(recipe, side) || recipe.on || at < explaining,
        )
        .map((lane) => ({
          lane,
          job: {
            side: lane.side,
            ...which,
            ...(turn !== undefined && { turn }),
            settings: lane.settings,
            quick: e.quick,
          } satisfies Job,
        })),
    ),
  );
  const outcomes = await run(all.map(({ job }) => job));
  const blockFor = (counts: (lane: (typeof lanes)[number]) => boolean) => {
    const own = all.flatMap(({ lane, job }, i) => (counts(lane) ? [{ job, outcome: outcomes[i] }] : []));
    return blockOf(
      recipe,
      e.firstSeed,
      own.map((o) => o.job),
      own.map((o) => o.outcome),
    );
  };
  const rivals: Record<string, Columns[]> = {};
  for (const rival of lanes.filter((l) => l.rival)) {
    const { name } = sides[rival.side];
    rivals[name] = [...(rivals[name] ?? []), blockFor((l) => l === rival).values[name]];
  }
  return {
    ...blockFor((l) => !l.rival),
    ...(Object.keys(rivals).length && { rivals }),
    seconds: outcomes.reduce((s, o) => s + o.seconds, 0),
  };
}

/** All blocks as one table. */
export const tableOfAll = (blocks: readonly Block[]): Table => pooled(blocks.map(tableOf));
