import { ReinsError } from "@reins/core";
import { type Answer, type GatewayRequest, jsonAnswer, responseOf } from "./answer.ts";
import { ApiError } from "./api-error.ts";
import { type BodySink, bodyText } from "./body.ts";
import { chatApi } from "./chat-api.ts";
import type { Engine } from "./engine.ts";
import type { Gateway } from "./gateway.ts";
import { checkNesting } from "./nesting.ts";
import { responsesApi } from "./responses-api.ts";

/** A fetch handler for a gateway: a function from `Request` to `Response`. It never throws. */
export function handler(gateway: Gateway): (request: Request) => Promise<Response> {
  const answer = answerer(gateway);
  return async (request) => {
    const { method, url, headers } = request;
    const { pathname: path } = new URL(url);
    const disconnected = new AbortController();
    const signal = AbortSignal.any([request.signal, disconnected.signal]);
    const asked = {
      method,
      path,
      signal,
      header: (name: string) => headers.get(name),
      text: () => bodyText((sink) => void pour(request.body, sink)),
    };
    return responseOf(await answer(asked), () => disconnected.abort(new Error("The client disconnected.")));
  };
}

/** A handler for servers with their own request and response types. */
export function answerer(gateway: Gateway): (asked: GatewayRequest) => Promise<Answer> {
  return async (asked) => {
    try {
      return await route(gateway, asked);
    } catch (error) {
      if (error instanceof ApiError) return error.answer();
      if (asked.signal.aborted) return new ApiError(499, "The client disconnected.").answer();
      // Errors of the language package (an empty prompt, a character without a token) are client errors.
      if (error instanceof ReinsError) return new ApiError(400, error.message).answer();
      return new ApiError(500, (error as Error)?.message ?? String(error)).answer();
    }
  };
}

async function route(gateway: Gateway, request: GatewayRequest): Promise<Answer> {
  const key = /^Bearer\s+(.+)$/i.exec(request.header("authorization") ?? "")?.[1];
  const session = gateway.session(key);
  const path = request.path.replace(/\/+$/, "");
  const wanted = (method: string) => {
    if (request.method !== method)
      throw new ApiError(405, `${request.method} is not allowed on ${path}. Use ${method}.`);
  };
  if (path === "/v1/models") {
    wanted("GET");
    return jsonAnswer({ object: "list", data: gateway.models.map(modelOf) });
  }
  const [, named] = /^\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (named !== undefined) {
    wanted("GET");
    const known = gateway.models.find(({ model }) => model === named || encodeURIComponent(model) === named);
    return jsonAnswer(modelOf(known ?? gateway.engine(named)));
  }
  const api = { "/v1/chat/completions": chatApi, "/v1/responses": responsesApi }[path];
  if (!api)
    throw new ApiError(404, `Unknown request URL: ${request.method} ${path}.`, { code: "unknown_url" });
  wanted("POST");
  return api(gateway, session, await bodyOf(request), request.signal);
}

const modelOf = ({ model, created }: Engine) => ({ id: model, object: "model", created, owned_by: "reins" });

async function bodyOf(request: GatewayRequest): Promise<unknown> {
  const text = await request.text();
  checkNesting(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, "We could not parse the JSON body of your request.");
  }
}

/** Reads a stream into a sink until it ends or is rejected. */
async function pour(stream: ReadableStream<Uint8Array> | null, sink: BodySink): Promise<void> {
  if (!stream) return sink.end();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return sink.end();
      if (!sink.add(value)) return void reader.cancel();
    }
  } catch (error) {
    sink.fail(error as Error);
  }
}
