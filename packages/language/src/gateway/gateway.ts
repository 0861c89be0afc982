import { fail } from "@reins/core";
import { defaultSeed } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { ApiError, refuse } from "./api-error.ts";
import { RequestCounters } from "./counters.ts";
import { Engine } from "./engine.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { ServedScorer } from "./served-scorer.ts";
import { Session } from "./session.ts";

/** Answers API requests with one or several models and records every reply, token for token, in the session of its key. */
export class Gateway {
  private readonly engines = new Map<string, Engine>();
  private readonly scorers = new Map<string, ServedScorer & { readonly created: number }>();
  private readonly sessions = new Map<string, Session>();
  readonly requests = new RequestCounters();
  /** Whether new requests are refused, because the server is about to stop. */
  draining = false;

  constructor(...models: readonly EngineOptions[]) {
    for (const options of models) {
      const engine = new Engine(options);
      if (this.engines.has(engine.model))
        fail("gateway", `two models have the name ${engine.model}. Give each its own.`);
      this.engines.set(engine.model, engine);
    }
  }

  /** Serves a reward model, which scores texts. */
  addScorer(served: ServedScorer): void {
    if (this.engines.has(served.model) || this.scorers.has(served.model))
      fail("gateway", `two models have the name ${served.model}. Give each its own.`);
    this.scorers.set(served.model, { ...served, created: Math.floor(Date.now() / 1000) });
  }

  /** Names of all served models, reward models last. */
  get served(): readonly Pick<Engine, "model" | "created">[] {
    return [...this.engines.values(), ...this.scorers.values()];
  }

  /** The served language models. */
  get models(): readonly Engine[] {
    return [...this.engines.values()];
  }

  /** Number of replies that are generated or wait. */
  get pending(): number {
    return this.models.reduce((sum, { counters }) => sum + counters.active + counters.queued, 0);
  }

  /** The name of the first model. */
  get model(): string {
    return this.served[0].model;
  }

  /** The language model with a name. */
  engine(name: string): Engine {
    const found = this.engines.get(name);
    if (found) return found;
    if (this.scorers.has(name))
      refuse("model", `${name} is a reward model, which writes no texts. Use /v1/score.`);
    return this.unknown(name, [...this.engines.keys()]);
  }

  /** The reward model with a name. */
  scorer(name: string): ServedScorer {
    const found = this.scorers.get(name);
    if (found) return found;
    if (this.engines.has(name))
      refuse("model", `${name} is a language model, which has no score. Serve the folder of a reward model.`);
    return this.unknown(name, [...this.scorers.keys()]);
  }

  private unknown(name: string, names: readonly string[]): never {
    const all = names.length ? names : this.served.map(({ model }) => model);
    throw new ApiError(
      404,
      `The model ${JSON.stringify(name.slice(0, 100))} does not exist. Use ${all.slice(0, 8).join(", ")}.`,
      { code: "model_not_found", param: "model" },
    );
  }

  /** Opens a session for an API key. Its calls are recorded in the session. */
  open(key: string, { seed = defaultSeed, greedy = false, passing = false } = {}): Session {
    const session = new Session(key, { seed, greedy, passing });
    this.sessions.set(key, session);
    return session;
  }

  /** Ends a session: revokes its key and cancels its generations. */
  close(session: Session): void {
    session.close();
    for (const engine of this.models) engine.leave(session);
    if (this.sessions.get(session.key) === session) this.sessions.delete(session.key);
  }

  /** The session of an API key. */
  session(key: string | undefined): Session {
    const found = key === undefined ? undefined : this.sessions.get(key);
    if (!found) throw new ApiError(401, "Incorrect API key provided.", { code: "invalid_api_key" });
    return found;
  }

  /** Serves other weights of the first model from now on. */
  use(params: GptParams): void {
    this.models[0].use(params);
  }

  /** Drops the prefix caches: the weights have changed, or a run was resumed from a checkpoint. */
  forget(): void {
    for (const engine of this.models) engine.forget();
  }
}
