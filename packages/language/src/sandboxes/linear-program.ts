import { createRequire } from "#node";
import { failure, type Limits, type Outcome, type Sandbox } from "./sandbox.ts";
import { instantiate } from "./wasm.ts";
import { OutOfTime, stackIsFull, within } from "./within.ts";

/** What a solver found. Only of an optimal solution are there values. */
export type Solution =
  | {
      readonly kind: "optimal";
      readonly objective: number;
      readonly values: Readonly<Record<string, number>>;
    }
  | { readonly kind: "infeasible" | "unbounded" };

const defaults: Limits = { milliseconds: 1000, megabytes: 128, characters: 20_000 };
const require = createRequire(import.meta.url);

type Loader = typeof import("highs").default;
/** A solver, as `highs` gives it. */
type Highs = Awaited<ReturnType<Loader>>;

/**
 * Linear and integer programs in HiGHS compiled to WebAssembly: the program is text in the LP format of CPLEX. Each run makes a new
 * solver in the same instance.
 */
export function linearProgram(options: Partial<Limits> = {}): Sandbox<string, Solution> {
  const limits = { ...defaults, ...options };
  let engine: Promise<{ highs: Highs; broken: boolean }> | undefined;
  const load = async () => {
    const instantiateWasm = instantiate(require.resolve("highs/runtime"), limits.megabytes);
    // Its types describe the CommonJS build, where the loader is a property; what is imported is the loader itself.
    const loadHighs = (await import("highs")).default as unknown as Loader;
    return { highs: await loadHighs({ instantiateWasm } as object), broken: false };
  };
  return {
    id: "linear-program",
    limits,
    async run(program) {
      if (program.length > limits.characters) return failure("refused", "The program is too long.");
      let e: { highs: Highs; broken: boolean };
      do e = await (engine ??= load());
      while (e.broken);
      try {
        // The solver looks at its own clock first; reading the program does not.
        return within(limits.milliseconds * 2, () => solve(e.highs, program, limits.milliseconds / 1000));
      } catch (error) {
        const message = (error as Error)?.message;
        // Errors of any kind may have left the solver in the middle of its work.
        e.broken = true;
        engine = undefined;
        if (error instanceof OutOfTime) return failure("timeout", message);
        return failure(stackIsFull(error) || /memory/.test(message) ? "memory" : "error", message);
      }
    },
  };
}

function solve(highs: Highs, program: string, seconds: number): Outcome<Solution> {
  const found = highs.solve(program, { time_limit: seconds, output_flag: false, random_seed: 0 });
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
    case "Time limit reached":
      return failure("timeout", "It took too long.");
    default:
      return failure("error", found.Status);
  }
}
