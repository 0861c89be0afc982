import { type Answer, jsonAnswer } from "./answer.ts";

/** An error in the format of the OpenAI API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;

  constructor(
    status: number,
    message: string,
    { code = null, param = null }: { code?: string | null; param?: string | null } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.param = param;
  }

  private get type(): string {
    if (this.status === 401) return "authentication_error";
    if (this.status === 429) return "rate_limit_error";
    return this.status >= 500 ? "server_error" : "invalid_request_error";
  }

  /** The HTTP response of the error. */
  answer(): Answer {
    const { message, type, param, code } = this;
    const answer = jsonAnswer({ error: { message, type, param, code } }, this.status);
    const again = this.status === 429 || this.status === 503;
    return again ? { ...answer, headers: { ...answer.headers, "retry-after": "1" } } : answer;
  }
}

/** Rejects a request with status 400 and the name of the invalid field. */
export const refuse = (param: string, message: string): never => {
  throw new ApiError(400, message, { param, code: "invalid_value" });
};
