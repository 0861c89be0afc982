import { type ActOptions, fail, type StepEnvironment } from "@reins/core";
import { checkKeys, didYouMean } from "@reins/core/errors";
import { PolicyRunner } from "@reins/core/policies";
import { placeAt } from "../places/place-at.ts";
import type { EnvLike } from "../places/source.ts";
import { type Agent, inShort, measure, noAdapters, noModel, noWords, withTraining } from "./agent.ts";
import { evaluationPlace } from "./agent-env.ts";
import { type AgentContent, readAgent, writeAgent } from "./agent-file.ts";
import { type AgentSource, bytesOf, writeBytes } from "./bytes.ts";
import { actingFrom } from "./content.ts";
import { inspectAs } from "./inspect.ts";

/**
 * Loads an agent from a file that `agent.save()` wrote: its path, URL or bytes, in Node and in browsers. It needs neither
 * the algorithm nor the environment of its training, and runs no code from the file.
 *
 *     const agent = await loadAgent("cart.agent");
 *     const action = agent.act([0, 0, 0, 0]);
 *
 * It acts greedily; with `greedy: false` it samples actions, as in training.
 */
export async function loadAgent(from: AgentSource, options: ActOptions = {}): Promise<Agent> {
  checkKeys("loadAgent", options, ["greedy", "seed"]);
  const { bytes, name } = await bytesOf(from);
  return agentFrom(readAgent(bytes, name), name, { options });
}

/** How a loaded agent acts, and its training environment if that cannot be found by name. */
interface AgentHome {
  readonly home?: () => Promise<StepEnvironment>;
  readonly options?: ActOptions;
}

/** An agent from the content of its file. */
export function agentFrom(content: AgentContent, source: string, { home, options }: AgentHome = {}): Agent {
  const { wrapping, ...agent } = actingFrom(
    content,
    source,
    (policy, env) => new PolicyRunner(policy, env, options),
  );
  const { spec, current } = agent;
  const own = async () => {
    if (home) return home();
    const { ids, loadedSource } = await import("../places/environments.ts");
    if (!ids().includes(spec.id))
      fail(
        source,
        `it was trained on ${spec.id}, which is not registered.${didYouMean(spec.id, ids())} Name its file: reins eval --env ./my-env.js; in a program pass \`env\`, or register() it first.`,
      );
    return loadedSource(spec.id);
  };
  const place = async (env?: EnvLike) => {
    const inner = env === undefined ? await own() : await placeAt(env);
    const wrap = wrapping.evaluate.bind(wrapping);
    return evaluationPlace({ spec, outer: wrap(inner.make(1)).spec, wrap }, inner);
  };
  const whole: Agent = {
    ...agent,
    place,
    async evaluate(episodes = 100, { env, yieldHook, ...rest } = {}) {
      return measure(current, await place(env), { ...options, episodes, ...rest }, yieldHook);
    },
    async save(path, saving) {
      const training = withTraining(saving ?? {});
      const { training: kept, ...rest } = content;
      if (training && !kept)
        fail(source, "the file has no training state. Save the agent with `training: true`.");
      const bytes = writeAgent(training ? content : rest);
      if (path !== undefined) await writeBytes(path, bytes);
      return bytes;
    },
    serve: async () => noWords(spec.id),
    saveModel: async () => noModel(spec.id),
    saveAdapters: async () => noAdapters(spec.id),
  };
  return inspectAs(whole, inShort);
}
