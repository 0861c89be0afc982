import { ReinsError } from "@reins/core";
import { ApiError } from "./api-error.ts";
import { chatApi } from "./chat-api.ts";
import type { Gateway } from "./gateway.ts";
import { responsesApi } from "./responses-api.ts";

/** Most bytes of a request. */
const most = 32 * 2 ** 20;

/** A gateway as a function from requests to answers, for any server that speaks fetch. It never throws. */
export function handler(gateway: Gateway): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await route(gateway, request);
    } catch (error) {
      if (error instanceof ApiError) return error.response();
      if (request.signal.aborted) return new ApiError(499, "The client has left.").response();
      // What the model's side refuses (a prompt without tokens, a character that it has no token for) is the request's fault.
      if (error instanceof ReinsError) return new ApiError(400, error.message).response();
      return new ApiError(500, (error as Error)?.message ?? String(error)).response();
    }
  };
}

async function route(gateway: Gateway, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const key = /^Bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const session = gateway.session(key);
  const path = pathname.replace(/\/+$/, "");
  const wanted = (method: string) => {
    if (request.method !== method)
      throw new ApiError(405, `Not allowed to ${request.method} on ${path}. Use ${method}.`);
  };
  if (path === "/v1/models") {
    wanted("GET");
    return Response.json({ object: "list", data: [modelOf(gateway)] });
  }
  const [, named] = /^\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (named !== undefined) {
    wanted("GET");
    if (decodeURIComponent(named) === gateway.model) return Response.json(modelOf(gateway));
    throw new ApiError(404, `The model ${JSON.stringify(named)} does not exist.`, {
      code: "model_not_found",
    });
  }
  const api = { "/v1/chat/completions": chatApi, "/v1/responses": responsesApi }[path];
  if (!api)
    throw new ApiError(404, `Unknown request URL: ${request.method} ${path}.`, { code: "unknown_url" });
  wanted("POST");
  return api(gateway, session, await bodyOf(request), request.signal);
}

const modelOf = ({ model, created }: Gateway) => ({ id: model, object: "model", created, owned_by: "reins" });

async function bodyOf(request: Request): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > most)
    throw new ApiError(413, `The body has more than ${most} bytes.`);
  const text = await request.text();
  if (text.length > most) throw new ApiError(413, `The body has more than ${most} bytes.`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError(400, "We could not parse the JSON body of your request.");
  }
}
