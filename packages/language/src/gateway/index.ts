/** `@reins/language/gateway`: OpenAI-compatible APIs for a model in training; agents' calls become episodes. */
export type { Answer, BodyStream } from "./answer.ts";
export { ApiError } from "./api-error.ts";
export { CallTree, type Question, type ReplyEnd } from "./call-tree.ts";
export type { ChatRequest } from "./chat-request.ts";
export type { Reply, Usage } from "./chat-response.ts";
export { Gateway, type GatewayOptions } from "./gateway.ts";
export { handler } from "./handler.ts";
export { type Served, serveGateway } from "./serve.ts";
export { Session } from "./session.ts";
