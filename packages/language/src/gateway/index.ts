/** `@reins/language/gateway`: OpenAI-compatible APIs for a model in training; agents' calls become episodes. */
export type { Answer, BodyStream } from "./answer.ts";
export { ApiError } from "./api-error.ts";
export { type BatchOptions, type BatchReply, batchReplies, batchRequest } from "./batch.ts";
export { CallTree, type Question, type ReplyEnd } from "./call-tree.ts";
export { type ChatRequest, chatRequest } from "./chat-request.ts";
export { Engine, type ReplyOptions } from "./engine.ts";
export type { EngineOptions } from "./engine-options.ts";
export { Gateway } from "./gateway.ts";
export { handler } from "./handler.ts";
export { engineOptions, type ModelFolder, nameOf } from "./model-folder.ts";
export type { Reply, Usage } from "./reply.ts";
export { type Served, serveGateway } from "./serve.ts";
export { serveModels } from "./serve-models.ts";
export type { ServedScorer } from "./served-scorer.ts";
export { Session } from "./session.ts";
export { TextStream } from "./text-stream.ts";
