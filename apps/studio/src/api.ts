import type { ColumnsHead } from "@reins/studio/wire";

/** An error response of the server. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

async function request(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch {
    throw new ApiError(0, "The studio does not answer. Is `reins studio` still running?");
  }
  if (response.ok) return response;
  const text = await response.text();
  let why = text;
  try {
    why = (JSON.parse(text) as { error: string }).error;
  } catch {}
  throw new ApiError(response.status, why);
}

export const get = async <T>(path: string): Promise<T> => (await request(path)).json() as Promise<T>;

/** Sends a JSON body, and parses the response. */
export const send = async <T>(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body: unknown = {},
): Promise<T> =>
  (
    await request(path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json() as Promise<T>;

/** The path of a resource of a run. */
export const ofRun = (name: string, ...more: readonly (string | number)[]): string =>
  ["runs", encodeURIComponent(name), ...more].join("/");

/** Reads the next part of a log. */
export async function readColumns(
  path: string,
): Promise<{ head: ColumnsHead; columns: readonly Float64Array[] }> {
  const bytes = await (await request(path)).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as ColumnsHead;
  const at = 4 + length;
  const columns = head.names.map((_, i) => new Float64Array(bytes, at + i * head.rows * 8, head.rows));
  return { head, columns };
}
