import type { RequestSampling } from "../generation/sampling.ts";
import { refuse } from "./api-error.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Session } from "./session.ts";

/** The request's own sampling settings. Evaluations and greedy baselines stay greedy, whatever the request. */
export function samplingOf(
  session: Session,
  { sampling }: Pick<ChatRequest, "sampling">,
  options: Pick<EngineOptions, "record" | "sampling">,
): RequestSampling | undefined {
  if (session.greedy && !session.passing) return undefined;
  const { temperature, topP } = sampling;
  if (temperature === 0 && options.record)
    refuse(
      "temperature",
      "temperature is 0, but a training run cannot learn from greedy replies. Use a temperature above 0 or leave it out; evaluation is always greedy.",
    );
  const usual = session.greedy ? { temperature: 0 } : (options.sampling ?? {});
  const own = {
    ...(temperature === undefined || temperature === (usual.temperature ?? 1) ? {} : { temperature }),
    ...(topP === undefined || topP === (usual.topP ?? 1) ? {} : { topP }),
  };
  return Object.keys(own).length ? own : undefined;
}
