import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten";
import { createRequire } from "#node";
import { OutOfTime, stackIsFull, within } from "../time-limit.ts";
import { engineFile, notInstalled } from "./engines.ts";
import { imageOf } from "./image.ts";
import { failure, type Sandbox, type SandboxLimits, type SandboxOutcome } from "./sandbox.ts";
import { type Instance, instantiate, moduleOf } from "./wasm.ts";

/** A script; its value is the value of its last expression. */
export interface Program {
  readonly code: string;
  /** Scripts to run first, one after another: their variables persist, their errors are ignored. */
  readonly before?: readonly string[];
  /**
   * If given, the script's value is a function, called with each of these argument lists; the result is the list of
   * its values.
   */
  readonly calls?: readonly (readonly unknown[])[];
}

/** Limits of a script. */
export interface JavaScriptLimits extends SandboxLimits {
  /** Interpreter ticks, each ten thousand loops and calls: the deciding limit, the same on every machine. */
  readonly turns: number;
  /**
   * Calls and loop iterations in the engine, for work without ticks: some hundred million per second, the same on
   * every machine.
   */
  readonly steps: number;
  /** Kilobytes of stack, about six nested calls each. Above 128 the host's stack overflows first. */
  readonly stackKilobytes: number;
}

const defaults: JavaScriptLimits = {
  milliseconds: 10_000,
  megabytes: 32,
  characters: 20_000,
  turns: 50,
  steps: 50_000_000,
  stackKilobytes: 128,
};

const engine = "quickjs-emscripten";
// The variant is a dependency of quickjs-emscripten, so it is resolved from there.
const file = () =>
  createRequire(engineFile("javascript", engine)).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");

/**
 * JavaScript in QuickJS compiled to WebAssembly: the language alone, without clock, randomness, modules or host
 * objects. Each run starts from the same memory image, so runs are isolated and deterministic.
 */
export function javascript(options: Partial<JavaScriptLimits> = {}): Sandbox<Program> {
  const limits = { ...defaults, ...options };
  let machine: Promise<Interpreter> | undefined;
  return {
    id: "javascript",
    limits,
    async run({ code, before = [], calls }) {
      if (before.reduce((sum, c) => sum + c.length, code.length) > limits.characters)
        return failure("refused", "The program is too long.");
      let m: Interpreter;
      do m = await (machine ??= newMachine(limits));
      while (m.broken);
      const { context } = m;
      try {
        const outcome = m.turn(() =>
          within(limits.milliseconds, () => run(context, { code, before, calls }, limits.characters)),
        );
        // A program out of ticks may still have ended, for example by an exception with an endless message.
        if (m.spent) return tooLong;
        // Without memory, an error has no name or message either.
        return m.isFull && outcome.status === "error" && /^\w*: ?$/.test(outcome.message ?? "")
          ? full
          : outcome;
      } catch (error) {
        if (m.spent) return tooLong;
        if (error instanceof OutOfTime) {
          // It may have been stopped anywhere, in host code too: the next run gets a new machine.
          m.broken = true;
          machine = undefined;
          return failure("timeout", error.message);
        }
        return failure(stackIsFull(error) ? "memory" : "error", (error as Error)?.message);
      }
    },
  };
}

const full = failure("memory", "InternalError: out of memory");
const tooLong = failure("timeout", "It took too many turns.");

interface Interpreter {
  readonly context: QuickJSContext;
  broken: boolean;
  /** Whether the last run exceeded its ticks or steps. */
  readonly spent: boolean;
  /** Whether the last run requested more memory than allowed. */
  readonly isFull: boolean;
  /** Resets the counters, runs the work, and restores the memory to its state before the first run. */
  turn(work: () => SandboxOutcome): SandboxOutcome;
}

async function newMachine({
  megabytes,
  turns,
  steps,
  stackKilobytes,
}: JavaScriptLimits): Promise<Interpreter> {
  // Loaded on first use, like all engines: most programs that import this package use none.
  const { DefaultIntrinsics, newQuickJSWASMModule, newVariant, RELEASE_SYNC } = await import(
    "quickjs-emscripten"
  ).catch(notInstalled("javascript", engine));
  let instance!: Instance;
  const instantiateWasm = instantiate(moduleOf(file()), megabytes, (i) => (instance = i));
  const quickjs = await newQuickJSWASMModule(
    newVariant(RELEASE_SYNC, { emscriptenModule: { instantiateWasm } }),
  );
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackKilobytes * 1024);
  const context = runtime.newContext({ intrinsics: { ...DefaultIntrinsics, Date: false } });
  let left = turns;
  runtime.setInterruptHandler(() => left-- <= 0);
  context.unwrapResult(context.evalCode("delete Math.random")).dispose();
  // Handles that the context creates once must exist before the image is taken.
  context.global;
  context.unwrapResult(context.evalCode(`JSON.stringify([${context.typeof(context.undefined)}])`)).dispose();
  const [restore, pointer] = [imageOf(instance.memory), instance.stack.value];
  return {
    context,
    broken: false,
    get spent() {
      return left < 0 || instance.fuel.value < 0;
    },
    get isFull() {
      return instance.refusals > 0;
    },
    turn(work) {
      left = turns;
      instance.refusals = 0;
      instance.fuel.value = steps;
      try {
        return work();
      } finally {
        restore();
        instance.stack.value = pointer;
      }
    },
  };
}

/** Handles are not disposed: the memory image of the next run has none of them. */
function run(
  context: QuickJSContext,
  { code, before = [], calls }: Program,
  characters: number,
): SandboxOutcome {
  // Taken before the program can replace it.
  const json = context.getProp(context.global, "JSON");
  const [stringify, parse] = [context.getProp(json, "stringify"), context.getProp(json, "parse")];
  const take = (handle: QuickJSHandle) => read(context, handle, stringify, characters);

  for (const script of before) context.evalCode(script, "before.js", { type: "global" });
  const program = context.evalCode(code, "program.js", { type: "global" });
  if (program.error) return thrown(context, program.error);
  if (!calls) return take(program.value);
  if (context.typeof(program.value) !== "function") return failure("error", "The program is not a function.");
  const values: unknown[] = [];
  for (const call of calls) {
    const given = call.map((argument) => {
      const text = JSON.stringify(argument);
      if (text === undefined) return context.undefined;
      return context.unwrapResult(context.callFunction(parse, context.undefined, context.newString(text)));
    });
    const result = context.callFunction(program.value, context.undefined, ...given);
    if (result.error) return thrown(context, result.error);
    const value = take(result.value);
    if (value.status !== "ok") return value;
    values.push(value.value);
  }
  return { status: "ok", value: values };
}

/** Converts a value for the host: JSON values, `undefined`, and numbers that JSON lacks. */
function read(
  context: QuickJSContext,
  handle: QuickJSHandle,
  stringify: QuickJSHandle,
  characters: number,
): SandboxOutcome {
  const type = context.typeof(handle);
  if (type === "undefined") return { status: "ok", value: undefined };
  if (type === "number") return { status: "ok", value: context.getNumber(handle) };
  if (type !== "boolean" && type !== "string" && type !== "object")
    return failure("error", `A ${type} is not a value.`);
  const text = context.callFunction(stringify, context.undefined, handle);
  if (text.error) return thrown(context, text.error);
  if (context.typeof(text.value) !== "string") return failure("error", "The result is not a value.");
  const length = context.getNumber(context.getProp(text.value, "length"));
  if (length > characters) return failure("memory", `The result has more than ${characters} characters.`);
  try {
    return { status: "ok", value: JSON.parse(context.getString(text.value)) };
  } catch {
    return failure("error", "The result is not JSON.");
  }
}

/** Converts a thrown value, which may be anything: even an object with an endless message. */
function thrown(context: QuickJSContext, error: QuickJSHandle): SandboxOutcome {
  const message = describe(context, error);
  if (
    /^(InternalError|RangeError|SyntaxError): (out of memory|stack overflow|Maximum call stack)/.test(message)
  )
    return failure("memory", message);
  return failure("error", message);
}

function describe(context: QuickJSContext, error: QuickJSHandle): string {
  const text = (handle: QuickJSHandle) =>
    context.typeof(handle) === "string" ? context.getString(handle) : "";
  if (context.typeof(error) !== "object") return text(error) || "It threw something that is not an error.";
  return `${text(context.getProp(error, "name"))}: ${text(context.getProp(error, "message"))}`;
}
