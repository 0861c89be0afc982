import type { Random } from "./random.ts";
import type { Sending } from "./raw-request.ts";

/** A server under attack. */
export interface Target {
  readonly name: "gateway" | "studio";
  readonly port: number;
  /** The value of `Authorization` that it accepts. */
  readonly bearer: string;
  /** A request that it answers with 200. */
  readonly fine: { readonly method: string; readonly path: string; readonly body?: string };
}

/** A malformed request. */
export interface Attack extends Sending {
  readonly what: string;
  /** Whether a 2xx or 3xx response is also accepted, because some servers may read it as a valid request. */
  readonly lenient?: boolean;
}

type Maker = (random: Random, target: Target) => Attack;

const crlf = "\r\n";
const requestOf = (
  { method = "GET", path = "/", headers = [] as readonly string[], body = "" },
  target: Target,
) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${target.port}`,
    `Authorization: ${target.bearer}`,
    ...headers,
    ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    "",
    body,
  ].join(crlf);

const posted = (target: Target, body: string, more: readonly string[] = []) => [
  requestOf(
    { method: target.name === "gateway" ? "POST" : "PUT", path: bodyPath(target), headers: more, body },
    target,
  ),
];
const bodyPath = (target: Target) =>
  target.name === "gateway" ? "/v1/chat/completions" : "/api/runs/a/marks";

/** A chunked request without end, or of `bytes` bytes. */
function* chunked(target: Target, bytes: number, fill: string): Generator<string> {
  const method = target.name === "gateway" ? "POST" : "PUT";
  yield requestOf({ method, path: bodyPath(target), headers: ["Transfer-Encoding: chunked"] }, target);
  const piece = fill.repeat(Math.ceil(65_536 / fill.length));
  for (let sent = 0; sent < bytes; sent += piece.length)
    yield `${piece.length.toString(16)}${crlf}${piece}${crlf}`;
  yield `0${crlf}${crlf}`;
}

const wrong = [
  null,
  1.5,
  -1,
  1e308,
  "",
  "x".repeat(50),
  [],
  [[]],
  {},
  { a: {} },
  true,
  "\u0000",
  [null],
  "NaN",
];
const fields: Readonly<Record<Target["name"], readonly string[]>> = {
  gateway: [
    ...[
      "model",
      "messages",
      "n",
      "seed",
      "stop",
      "max_tokens",
      "max_completion_tokens",
      "logprobs",
      "stream",
    ],
    ...["stream_options", "tools", "tool_choice", "response_format", "temperature", "top_p", "input", "text"],
  ],
  studio: ["note", "tags", "do", "setting", "value"],
};

const hostileSchemas: readonly object[] = [
  { type: "string", maxLength: 1e9 },
  { type: "array", items: {}, maxItems: 1e9 },
  { type: "string", pattern: "^(a{1,999}){1,999}$" },
  { type: "string", pattern: "^[ab]*a[ab]{60}$", maxLength: 4000 },
  { type: "string", pattern: "(?=a)" },
  { enum: Array.from({ length: 20_000 }, (_, i) => `v${i}`) },
  { oneOf: Array.from({ length: 900 }, (_, i) => ({ type: "string", pattern: `^(a|b)*c{${i}}$` })) },
  { $ref: "#" },
  { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  { $ref: "#/%" },
  { type: "object", properties: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`m${i}`, {}])) },
  { type: "integer", minimum: 5, maximum: 1 },
  { type: ["string", "constructor"] },
  { minimum: "x", type: "number" },
];

const paths = [
  "/..%2f..%2f..%2fetc%2fpasswd",
  "/../../../../etc/passwd",
  "/%00",
  "/api/runs/..%2f..%2fsecret",
  "/api/runs/%2e%2e/events",
  "/api/runs/a%00b",
  "/api/runs/a/columns/..%2fconfig",
  "/api/runs/a/episodes/99999999999999999999",
  "/api/deleted/..%2f..",
  "/v1/models/..%2f..",
  "/v1/models/%ff%fe",
  "/v1/chat/completions/%",
  `/${"a/".repeat(3000)}`,
  "//evil.example/",
  "/?token=wrong",
  "*",
];

const makers: Readonly<Record<string, Maker>> = {
  method: (r, t) => {
    const method = r.of(["PATCH", "PROPFIND", "TRACE", "LOCK", "SEARCH", "DELETE", "BREW", "get"]);
    return {
      what: method,
      pieces: [requestOf({ method, path: t.fine.path.replace("/api/runs", "/api/recipes") }, t)],
    };
  },
  path: (r, t) => {
    const path = r.of(paths);
    const method = r.of(["GET", "POST", "DELETE"]);
    return {
      what: `${method} ${path.slice(0, 60)}`,
      pieces: [requestOf({ method, path }, t)],
      lenient: true,
    };
  },
  oversize: (r, t) => {
    const bytes = r.of([1, 40, 80]) * 2 ** 20;
    const fill = r.of([" ", "a", "[", '{"a":']);
    return { what: `${bytes} bytes of ${fill}`, pieces: chunked(t, bytes, fill) };
  },
  declared: (r, t) => {
    const headers = [
      `Content-Length: ${r.of(["99999999999", "-1", "1e9", "0x10", "5, 6", "18446744073709551616"])}`,
    ];
    return {
      what: headers[0],
      pieces: [requestOf({ method: "POST", path: bodyPath(t), headers }, t), "x"],
      halfClosed: true,
    };
  },
  encoding: (r, t) => {
    const bytes = Uint8Array.from({ length: 1 + r.below(200) }, () => r.below(256));
    const head = requestOf(
      { method: "POST", path: bodyPath(t), headers: [`Content-Length: ${bytes.length}`] },
      t,
    );
    return { what: "invalid UTF-8", pieces: [head, bytes] };
  },
  json: (r, t) => {
    const body = r.of([
      "[".repeat(1 + r.below(200_000)),
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
      `{"model":"reins","messages":${"[".repeat(5000)}${"]".repeat(5000)}}`,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      "1e999",
      "nul",
      '"\\ud800"',
      `{"a":1,${'"a":1,'.repeat(5000)}"a":1}`,
    ]);
    return { what: `JSON ${body.slice(0, 30)}`, pieces: posted(t, body), lenient: t.name === "studio" };
  },
  type: (r, t) => {
    const fine = { model: "reins", messages: [{ role: "user", content: "1+1=" }], max_tokens: 2 };
    const base = t.name === "gateway" ? fine : { note: "x" };
    const [field, value] = [r.of(fields[t.name]), r.of(wrong)];
    const inner = r.chance(0.2)
      ? { messages: [{ role: r.of(wrong), content: r.of(wrong), [field]: value }] }
      : {};
    const body = JSON.stringify({ ...base, ...inner, [field]: value });
    const what = `${field} = ${JSON.stringify(value).slice(0, 40)}`;
    if (t.name === "gateway" || r.chance(0.5)) return { what, pieces: posted(t, body), lenient: true };
    const command = requestOf({ method: "POST", path: "/api/runs/a/command", body }, t);
    return { what: `command ${what}`, pieces: [command], lenient: true };
  },
  schema: (r, t) => {
    const schema = r.of(hostileSchemas);
    const body = JSON.stringify({
      model: "reins",
      messages: [{ role: "user", content: "1+1=" }],
      max_tokens: 4,
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
    });
    return { what: `schema ${JSON.stringify(schema).slice(0, 60)}`, pieces: posted(t, body), lenient: true };
  },
  content: (r, t) => {
    const headers = [
      `Content-Type: ${r.of(["text/xml", "multipart/form-data", "application/json; charset=utf-7", "\u0001"])}`,
    ];
    return { what: headers[0], pieces: posted(t, "{", headers) };
  },
  half: (r, t) => {
    const whole = posted(t, '{"model":"reins"}')[0];
    const cut = r.below(whole.length);
    const leaves = r.chance(0.5);
    return {
      what: `cut at ${cut}${leaves ? ", left" : ", half closed"}`,
      pieces: [whole.slice(0, cut)],
      halfClosed: true,
      leaves,
    };
  },
  headers: (r, t) => {
    const headers = r.of([
      Array.from({ length: 5000 }, (_, i) => `X-${i}: y`),
      [`X: ${"y".repeat(100_000)}`],
      ["X y: z"],
      ["Transfer-Encoding: chunked", "Content-Length: 5"],
      ["Transfer-Encoding: gzip, chunked, identity"],
      ["Host: evil.example"],
      ["Expect: 200-maybe"],
    ]);
    return {
      what: `headers ${headers[0].slice(0, 40)}`,
      pieces: [requestOf({ path: "/nowhere", headers }, t)],
      halfClosed: true,
    };
  },
  token: (r, t) => {
    const bearer = r.of([
      "",
      "Bearer ",
      "Bearer wrong",
      `Bearer ${"x".repeat(8000)}`,
      "Basic Og==",
      t.bearer.slice(0, -1),
    ]);
    return {
      what: `token ${bearer.slice(0, 30)}`,
      pieces: [requestOf({ path: t.fine.path }, { ...t, bearer })],
    };
  },
  garbage: (r) => ({
    what: "bytes that are not HTTP",
    pieces: [Uint8Array.from({ length: 1 + r.below(3000) }, () => r.below(256))],
    halfClosed: true,
  }),
};

/** A random malformed request for a server. */
export function attackOf(random: Random, target: Target): Attack {
  const kinds = Object.keys(makers).filter((kind) => kind !== "schema" || target.name === "gateway");
  const kind = random.of(kinds);
  const made = makers[kind](random, target);
  return { ...made, what: `${target.name} ${kind}: ${made.what}` };
}
