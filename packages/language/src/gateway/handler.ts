import { ReinsError } from "@reins/core";
import { type Answer, type GatewayRequest, jsonAnswer, responseOf } from "./answer.ts";
import { ApiError } from "./api-error.ts";
import { type BodySink, bodyText } from "./body.ts";
import { chatApi } from "./chat-api.ts";
import { completionsApi } from "./completions-api.ts";
import { embeddingsApi } from "./embeddings-api.ts";
import type { Engine } from "./engine.ts";
import type { Gateway } from "./gateway.ts";
import { metricsText } from "./metrics.ts";
import { checkNesting } from "./nesting.ts";
import { responsesApi } from "./responses-api.ts";
import { scoreApi } from "./score-api.ts";

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
    const answer = await route(gateway, asked).catch((error: unknown) => answerTo(error, asked.signal));
    const { status, body } = answer;
    const count = (outcome: number) => gateway.requests.add(pathOf(asked), outcome);
    if (typeof body === "string") {
      count(status);
      return answer;
    }
    const to: typeof body.to = async (listener) => {
      const outcome = await body.to(listener);
      count(outcome);
      return outcome;
    };
    return { ...answer, body: { to } };
  };
}

function answerTo(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof ApiError) return error.answer();
  if (signal.aborted) return new ApiError(499, "The client disconnected.").answer();
  // Errors of the language package (an empty prompt, a character without a token) are client errors.
  if (error instanceof ReinsError) return new ApiError(400, error.message).answer();
  return new ApiError(500, (error as Error)?.message ?? String(error)).answer();
}

const pathOf = ({ path }: GatewayRequest): string => path.replace(/\/+$/, "");

const apis: { readonly [path: string]: typeof chatApi } = {
  "/v1/chat/completions": chatApi,
  "/v1/completions": completionsApi,
  "/v1/embeddings": embeddingsApi,
  "/v1/responses": responsesApi,
  "/v1/score": scoreApi,
};

async function route(gateway: Gateway, request: GatewayRequest): Promise<Answer> {
  const path = pathOf(request);
  const wanted = (method: string) => {
    if (request.method !== method)
      throw new ApiError(405, `${request.method} is not allowed on ${path}. Use ${method}.`);
  };
  if (path === "/health") {
    wanted("GET");
    return jsonAnswer({ status: gateway.draining ? "stopping" : "ok" }, gateway.draining ? 503 : 200);
  }
  const key = /^Bearer\s+(.+)$/i.exec(request.header("authorization") ?? "")?.[1];
  const session = gateway.session(key);
  if (path === "/metrics") {
    wanted("GET");
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, headers, body: metricsText(gateway.models, gateway.requests) };
  }
  if (gateway.draining)
    throw new ApiError(503, "The server is stopping. Try again later.", { code: "server_stopping" });
  if (path === "/v1/models") {
    wanted("GET");
    return jsonAnswer({ object: "list", data: gateway.served.map(modelOf) });
  }
  const [, named] = /^\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (named !== undefined) {
    wanted("GET");
    const known = gateway.served.find(({ model }) => model === named || encodeURIComponent(model) === named);
    return jsonAnswer(modelOf(known ?? gateway.engine(named)));
  }
  const api = Object.hasOwn(apis, path) ? apis[path] : undefined;
  if (!api)
    throw new ApiError(404, `Unknown request URL: ${request.method} ${path}.`, { code: "unknown_url" });
  wanted("POST");
  return api(gateway, session, await bodyOf(request), request.signal);
}

const modelOf = ({ model, created }: Pick<Engine, "model" | "created">) => ({
  id: model,
  object: "model",
  created,
  owned_by: "reins",
});

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
