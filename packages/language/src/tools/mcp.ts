import { fail } from "@reins/core";
import { theirSchema } from "./external-schema.ts";
import { type Tool, tool } from "./tool.ts";

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

/** A part of a result: text, or another type. */
interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: unknown;
}

/** The used part of a connected client of `@modelcontextprotocol/sdk`. `close` of any of its tools closes it. */
export interface McpClient {
  close?(): Promise<void>;
  listTools(params?: {
    cursor?: string;
  }): Promise<{ readonly tools: readonly McpTool[]; readonly nextCursor?: string }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<unknown>;
}

/** Settings of {@link mcpTools}. */
export interface McpOptions {
  /** Prefix of each name, to distinguish tools of several servers. */
  readonly prefix?: string;
  /** Milliseconds that a call may take (default 10,000). */
  readonly timeout?: number;
}

/**
 * The tools of an MCP server, unchanged. A server does not know about conversations: its state is shared by all that
 * run at the same time.
 */
export async function mcpTools(
  client: McpClient,
  { prefix = "", timeout = 10_000 }: McpOptions = {},
): Promise<Tool[]> {
  const listed: McpTool[] = [];
  let closed: Promise<void> | undefined;
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    listed.push(...page.tools);
    if (listed.length > mostTools || ++pages > mostTools)
      fail("mcpTools", `the server lists more than ${mostTools} tools or pages of them. Check the server.`);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return Promise.all(
    listed.map(async ({ name, description = "", inputSchema }) =>
      tool<Record<string, unknown>>({
        name: prefix + name,
        about: description,
        parameters: await theirSchema(prefix + name, inputSchema),
        timeout,
        async run(args, { signal }) {
          const answer = await client.callTool({ name, arguments: args }, undefined, { signal, timeout });
          return textOf(answer as Answer);
        },
        close: () => (closed ??= client.close?.()),
      }),
    ),
  );
}

/** Maximum tools and pages of a server's list, which may not end. */
const mostTools = 4096;

interface Answer {
  readonly content?: readonly Part[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  /** Result of servers of the first protocol version. */
  readonly toolResult?: unknown;
}

function textOf({ content = [], structuredContent, isError, toolResult }: Answer): unknown {
  const said = content.map(wordsOf).join("\n");
  if (isError) throw new Error(said || "the tool failed");
  return content.length ? said : (structuredContent ?? toolResult);
}

/** A part as text; content that is not text is named. */
function wordsOf(part: Part): string {
  const { type, text, mimeType, resource } = part;
  if (type === "text") return `${text}`;
  // A resource may contain text, with its address.
  const { uri = part.uri, text: inner, mimeType: kind = mimeType } = (resource ?? {}) as Partial<Part>;
  if (typeof inner === "string") return inner;
  const about = [uri, kind].filter((x) => x !== undefined).join(", ");
  return `(${type.replaceAll("_", " ")}${about ? `: ${about}` : ""})`;
}
