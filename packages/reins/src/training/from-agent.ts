import { type Algorithm, fail, type Run, restore } from "@reins/core";
import { readAgent } from "../agents/agent-file.ts";
import { type AgentSource, bytesOf } from "../agents/bytes.ts";
import { algorithmOf } from "../places/algorithm-named.ts";
import { makerOf } from "../places/algorithms.ts";
import type { EnvOptions } from "../places/source.ts";
import { sourceOfAny, type Trainable } from "../places/trainable.ts";
import { type Assembly, type AssemblyOptions, assemble } from "./assembly.ts";
import { Listeners } from "./callbacks.ts";
import { observed } from "./observed.ts";

/** What may be asked for where training goes on from an agent; what is not is as it was. */
export interface FromOptions extends Omit<AssemblyOptions, "place" | "algorithm"> {
  readonly algorithm?: string | Algorithm;
  readonly env?: Trainable;
  readonly envOptions?: EnvOptions;
}

/**
 * A run that begins with what an agent has learned: weights, the optimiser's state, what was remembered and what wrappers had seen. Its
 * environments and its count of steps begin anew, so that it can go on elsewhere; a run that goes on exactly as it would have is resumed.
 */
export async function goFrom(
  from: AgentSource,
  options: FromOptions,
  listeners = new Listeners(),
): Promise<{ assembly: Assembly; run: Run }> {
  const { bytes, name } = await bytesOf(from);
  const { algorithm: trainer, spec, wrappers, training } = readAgent(bytes, name);
  if (!training)
    fail(
      name,
      "it can act and not learn: what training needs was left out. Save it with { training: true }.",
    );
  const place = observed(await sourceOfAny(options.env ?? spec.id, options.envOptions), listeners);
  const wanted = await algorithmOf(options.algorithm ?? trainer);
  const given = typeof wanted === "string" ? wanted : wanted.name;
  if (given !== trainer)
    fail(name, `it was trained by ${trainer}; ${given} cannot go on with that. Leave \`algorithm\` out.`);
  const algorithm = typeof wanted === "string" ? makerOf(wanted)(training.options) : wanted;
  const names = options.wrappers ?? wrappers.map((w) => w.name);
  const assembly = assemble({ ...options, algorithm, place, wrappers: names, kept: wrappers });
  const run = assembly.begin();
  for (const [part, state] of Object.entries(training.parts)) {
    if (!(part in run.process.parts))
      fail(name, `it holds \`${part}\`, which ${trainer} does not have here: it is of another version.`);
    restore(run.process.parts[part], state, part);
  }
  return { assembly, run };
}
