import { fail } from "@reins/core";
import { defaultSeed } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { ApiError } from "./api-error.ts";
import { RequestCounters } from "./counters.ts";
import { Engine } from "./engine.ts";
import type { EngineOptions } from "./engine-options.ts";
import { Session } from "./session.ts";

/** Answers API requests with one or several models and records every reply, token for token, in the session of its key. */
export class Gateway {
  private readonly engines = new Map<string, Engine>();
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

  /** The served models. */
  get models(): readonly Engine[] {
    return [...this.engines.values()];
  }

  /** Number of replies that are generated or wait. */
  get pending(): number {
    return this.models.reduce((sum, { counters }) => sum + counters.active + counters.queued, 0);
  }

  /** The name of the first model. */
  get model(): string {
    return this.models[0].model;
  }

  /** The model with a name. */
  engine(name: string): Engine {
    const found = this.engines.get(name);
    if (found) return found;
    const names = [...this.engines.keys()];
    throw new ApiError(
      404,
      `The model ${JSON.stringify(name.slice(0, 100))} does not exist. Use ${names.slice(0, 8).join(", ")}.`,
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
