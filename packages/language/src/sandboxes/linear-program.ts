import { OutOfTime, stackIsFull, within } from "../time-limit.ts";
import { engineFile, notInstalled } from "./engines.ts";
import { failure, type Sandbox, type SandboxLimits, type SandboxOutcome } from "./sandbox.ts";
import { type Instance, instantiate, moduleOf } from "./wasm.ts";

/** A solver's result. Only an optimal solution has values. */
export type Solution =
  | {
      readonly kind: "optimal";
      readonly objective: number;
      readonly values: Readonly<Record<string, number>>;
    }
  | { readonly kind: "infeasible" | "unbounded" };

/** Limits of the solver. */
export interface LinearProgramLimits extends SandboxLimits {
  /**
   * Calls and loop iterations in the solver, some hundred million per second: the deciding limit, the same on every
   * machine.
   */
  readonly steps: number;
}

const defaults: LinearProgramLimits = {
  milliseconds: 10_000,
  megabytes: 128,
  characters: 20_000,
  steps: 100_000_000,
};

type Loader = typeof import("highs").default;
/** A solver of the package `highs`. */
type Highs = Awaited<ReturnType<Loader>>;

/**
 * Linear and integer programs in HiGHS compiled to WebAssembly: a program is text in the LP format of CPLEX. Each run
 * creates a new solver in the same instance.
 */
export function linearProgram(options: Partial<LinearProgramLimits> = {}): Sandbox<string, Solution> {
  const limits = { ...defaults, ...options };
  let engine: Promise<Engine> | undefined;
  return {
    id: "linear-program",
    limits,
    async run(program) {
      if (program.length > limits.characters) return failure("refused", "The program is too long.");
      let e: Engine;
      do e = await (engine ??= newEngine(limits.megabytes));
      while (e.broken);
      try {
        e.fuel.value = limits.steps;
        return within(limits.milliseconds, () => solve(e.highs, program));
      } catch (error) {
        const message = (error as Error)?.message;
        // An error may have left the solver in the middle of its work.
        e.broken = true;
        engine = undefined;
        if (e.fuel.value < 0) return failure("timeout", "It took too many steps.");
        if (error instanceof OutOfTime) return failure("timeout", message);
        return failure(stackIsFull(error) || /memory/.test(message) ? "memory" : "error", message);
      }
    },
  };
}

interface Engine {
  readonly highs: Highs;
  readonly fuel: Instance["fuel"];
  broken: boolean;
}

async function newEngine(megabytes: number): Promise<Engine> {
  let instance!: Instance;
  const module = moduleOf(engineFile("linear-program", "highs", "highs/runtime"));
  const instantiateWasm = instantiate(module, megabytes, (i) => (instance = i));
  // The types describe the CommonJS build, where the loader is a property; the import is the loader itself.
  const { default: loader } = await import("highs").catch(notInstalled("linear-program", "highs"));
  const loadHighs = loader as unknown as Loader;
  return { highs: await loadHighs({ instantiateWasm } as object), fuel: instance.fuel, broken: false };
}

function solve(highs: Highs, program: string): SandboxOutcome<Solution> {
  const found = highs.solve(program, { output_flag: false, random_seed: 0 });
  switch (found.Status as string) {
    case "Optimal": {
      const values = Object.entries(found.Columns).map(([name, c]) => [
        name,
        (c as { Primal?: number }).Primal ?? 0,
      ]);
      return {
        status: "ok",
        value: { kind: "optimal", objective: found.ObjectiveValue, values: Object.fromEntries(values) },
      };
    }
    case "Infeasible":
      return { status: "ok", value: { kind: "infeasible" } };
    case "Unbounded":
    case "Primal infeasible or unbounded":
      return { status: "ok", value: { kind: "unbounded" } };
    default:
      return failure("error", found.Status);
  }
}
