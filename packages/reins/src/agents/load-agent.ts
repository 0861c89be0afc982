import { checkKeys, didYouMean, fail, Player, type PlayOptions, type StepPlace } from "@reins/core";
import { placeAt } from "../places/place-at.ts";
import type { EnvLike } from "../places/source.ts";
import { type Agent, inShort, measure, noAdapters, noModel, noWords, withTraining } from "./agent.ts";
import { type AgentContent, readAgent, writeAgent } from "./agent-file.ts";
import { type AgentSource, bytesOf, writeBytes } from "./bytes.ts";
import { actingFrom } from "./content.ts";
import { printedAs } from "./printed.ts";
import { placeFor } from "./where.ts";

/**
 * An agent from the file that `agent.save()` wrote: its path, its address or its bytes, in Node and in browsers. It needs neither the
 * algorithm nor the environment that made it, and runs no code from the file.
 *
 *     const agent = await loadAgent("cart.agent");
 *     const action = agent.act([0, 0, 0, 0]);
 *
 * It takes the best action; with `greedy: false` it draws one, as in training.
 */
export async function loadAgent(from: AgentSource, options: PlayOptions = {}): Promise<Agent> {
  checkKeys("loadAgent", options, ["greedy", "seed"]);
  const { bytes, name } = await bytesOf(from);
  return agentFrom(readAgent(bytes, name), name, { options });
}

/** How an agent from a file plays, and the environment of its training, where that cannot be found by its name. */
interface AgentHome {
  readonly home?: () => Promise<StepPlace>;
  readonly options?: PlayOptions;
}

/** An agent from what was kept of it. */
export function agentFrom(content: AgentContent, source: string, { home, options }: AgentHome = {}): Agent {
  const { wrapping, ...agent } = actingFrom(
    content,
    source,
    (policy, env) => new Player(policy, env, options),
  );
  const { spec, current } = agent;
  const own = async () => {
    if (home) return home();
    const { ids, loadedSource } = await import("../places/environments.ts");
    if (!ids().includes(spec.id))
      fail(
        source,
        `it was trained on ${spec.id}, which is not here.${didYouMean(spec.id, ids())} Name its file, as in reins eval --env ./my-env.js; in a program pass \`env\`, or register() it first.`,
      );
    return loadedSource(spec.id);
  };
  const place = async (env?: EnvLike) => {
    const inner = env === undefined ? await own() : await placeAt(env);
    const wrap = wrapping.evaluate.bind(wrapping);
    return placeFor({ spec, outer: wrap(inner.make(1)).spec, wrap }, inner);
  };
  const whole: Agent = {
    ...agent,
    place,
    async evaluate(episodes = 100, { env, breath, ...rest } = {}) {
      return measure(current, await place(env), { ...options, episodes, ...rest }, breath);
    },
    async save(path, saving) {
      const training = withTraining(saving ?? {});
      const { training: kept, ...rest } = content;
      if (training && !kept)
        fail(source, "it was kept without its training: save it with `training: true` where it was trained.");
      const bytes = writeAgent(training ? content : rest);
      if (path !== undefined) await writeBytes(path, bytes);
      return bytes;
    },
    serve: async () => noWords(spec.id),
    saveModel: async () => noModel(spec.id),
    saveAdapters: async () => noAdapters(spec.id),
  };
  return printedAs(whole, inShort);
}
