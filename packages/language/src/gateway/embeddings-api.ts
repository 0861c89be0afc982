import { yieldToEventLoop } from "../generation/event-loop.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { ApiError, refuse } from "./api-error.ts";
import { textsIn } from "./completions-request.ts";
import type { Gateway } from "./gateway.ts";
import { checkFields, embeddingFields } from "./request-fields.ts";
import { isObject, modelIn, wholeIn } from "./request-options.ts";
import type { Session } from "./session.ts";

/** Maximum number of texts of a request. */
const most = 2048;

/** `POST /v1/embeddings`: mean-pooled hidden states. */
export async function embeddingsApi(
  gateway: Gateway,
  _session: Session,
  body: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  checkFields(body, embeddingFields);
  const engine = gateway.engine(modelIn(body));
  const { encoding_format: format = "float" } = body;
  if (format !== "float" && format !== "base64" && format !== null)
    refuse("encoding_format", "encoding_format must be float or base64.");
  const { width } = engine.options.start.options;
  const dimensions = wholeIn(body, "dimensions", 1) ?? width;
  if (dimensions !== width)
    refuse("dimensions", `Embeddings of ${engine.model} have ${width} dimensions. Leave it out.`);
  const texts = textsIn(body.input, "input", most);
  const data = [];
  let count = 0;
  for (const [index, text] of texts.entries()) {
    if (signal.aborted) throw new ApiError(499, "The client disconnected.");
    const { embedding, tokens } = await engine.embed(text);
    count += tokens;
    data.push({
      object: "embedding",
      index,
      embedding: format === "base64" ? base64(embedding) : [...embedding],
    });
    await yieldToEventLoop();
  }
  const usage = { prompt_tokens: count, total_tokens: count };
  return jsonAnswer({ object: "list", data, model: engine.model, usage });
}

/** The bytes of little-endian 32-bit floats. */
function base64(values: Float32Array): string {
  let text = "";
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view.setFloat32(4 * i, value, true));
  for (const byte of new Uint8Array(view.buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}
