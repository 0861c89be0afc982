import { asSchema, jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiTools } from "./ai-sdk.ts";
import { asker } from "./testing.ts";

const weather = tool({
  description: "The weather of a town.",
  inputSchema: z.object({
    town: z.string().refine((t) => t !== "Atlantis", "is under water"),
    days: z.number().int().default(1),
  }),
  execute: ({ town, days }) => ({ town, days, sky: "grey" }),
});

describe("tools of the AI SDK", () => {
  it("are accepted as generateText accepts them", async () => {
    const [one] = await aiTools({ weather });
    expect(one).toMatchObject({
      name: "weather",
      about: "The weather of a town.",
      parameters: { type: "object", required: ["town"] },
    });
    // The schema that the SDK would send, except for additionalProperties.
    const {
      $schema: _,
      additionalProperties: __,
      ...theirs
    } = (await asSchema(weather.inputSchema).jsonSchema) as object as Record<string, unknown>;
    expect(one.parameters).toEqual(theirs);
    const ask = asker([one]);
    // The schema fills in defaults, as in the SDK.
    expect(await ask("weather", { town: "Turku" })).toBe('{"town":"Turku","days":1,"sky":"grey"}');
  });

  it("never get bad arguments, including those that JSON Schema cannot detect", async () => {
    let ran = 0;
    const counted = { ...weather, execute: () => ran++ };
    const ask = asker(await aiTools({ weather: counted }));
    expect(await ask("weather", { town: 3 })).toBe("error: town must be string");
    expect(await ask("weather", { town: "Oulu", days: 1.5 })).toBe("error: days must be integer");
    expect(await ask("weather", { town: "Atlantis" })).toBe("error: town: is under water");
    expect(ran).toBe(0);
  });

  it("may have a schema of JSON, of the standard, a lazy one, or none", async () => {
    const json = {
      type: "object",
      properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
      required: ["pair"],
    } as const;
    const execute = (input: unknown) => input;
    const standard = {
      "~standard": {
        version: 1,
        vendor: "mine",
        validate: (value: unknown) => ({ value: { ...(value as object), seen: true } }),
        jsonSchema: { input: () => json },
      },
    };
    const ask = asker(
      await aiTools({
        json: tool({ inputSchema: jsonSchema<{ pair: unknown }>(json as never), execute }),
        later: { inputSchema: () => asSchema(z.object({ x: z.tuple([z.string()]) })), execute },
        standard: { inputSchema: standard, execute },
        none: { execute },
      }),
    );
    const pair = ["a", 1];
    expect(await ask("json", { pair })).toBe('{"pair":["a",1]}');
    expect(await ask("json", { pair: [1, 1] })).toBe("error: pair.0 must be string");
    expect(await ask("later", { x: ["a"] })).toBe('{"x":["a"]}');
    expect(await ask("later", { x: [1] })).toBe("error: x.0 must be string");
    expect(await ask("standard", { pair })).toBe('{"pair":["a",1],"seen":true}');
    expect(await ask("none", {})).toBe("{}");
    expect(await ask("none", { a: 1 })).toBe("error: arguments must NOT have additional properties");
  });

  it("may throw, stream, or convert their output for the model", async () => {
    const inputSchema = z.object({});
    const ask = asker(
      await aiTools({
        broken: tool({
          inputSchema,
          execute: (): string => {
            throw new Error("no signal");
          },
        }),
        growing: tool({
          inputSchema,
          async *execute() {
            yield "a";
            yield "ab";
          },
        }),
        shows: tool({
          inputSchema,
          execute: () => ({ secret: 1, said: "hello" }),
          toModelOutput: ({ output }) => ({ type: "text", value: output.said }),
        }),
        refuses: tool({
          inputSchema,
          execute: () => 1,
          toModelOutput: () => ({ type: "error-text", value: "not today" }),
        }),
      }),
    );
    expect(await ask("broken", {})).toBe("error: no signal");
    expect(await ask("growing", {})).toBe("ab");
    expect(await ask("shows", {})).toBe("hello");
    expect(await ask("refuses", {})).toBe("error: not today");
  });

  it("get an abort signal", async () => {
    let ended = false;
    const ask = asker(
      await aiTools(
        {
          slow: tool({
            inputSchema: z.object({}),
            execute: (_, { abortSignal }) =>
              new Promise(() => abortSignal!.addEventListener("abort", () => (ended = true))),
          }),
        },
        { timeout: 20 },
      ),
    );
    expect(await ask("slow", {})).toBe("error: slow did not answer within 20 ms.");
    expect(ended).toBe(true);
  });

  it("that cannot be used give a reason", async () => {
    const old = { "~standard": { vendor: "older", validate: (value: unknown) => ({ value }) } };
    await expect(aiTools({ remote: { inputSchema: z.object({}) } })).rejects.toThrow(
      "tool remote: it has no execute",
    );
    await expect(aiTools({ weather: { ...weather, needsApproval: true } })).rejects.toThrow(
      "which training cannot give",
    );
    await expect(aiTools({ t: { inputSchema: old, execute: () => 1 } })).rejects.toThrow(
      /this version of older .* toJsonSchema/,
    );
    const toJsonSchema = () => ({ type: "object", properties: {} });
    const ask = asker(await aiTools({ t: { inputSchema: old, execute: () => 1 } }, { toJsonSchema }));
    expect(await ask("t", {})).toBe("1");
  });
});
