import { type Env, fail, type MultiEnv, type StepEnvironment, type VectorEnv } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { spaceFault } from "@reins/core/spaces";

/** Refuses values that cannot create environments, and says what to pass. */
export function admitMaker(
  env: unknown,
): asserts env is StepEnvironment | (() => Env) | (() => MultiEnv) | ((rows: number) => VectorEnv) {
  if (typeof env === "function") {
    if (/^class\b/.test(Function.prototype.toString.call(env)))
      fail("env", `${env.name} is a class. Pass a function that creates one: env: () => new ${env.name}().`);
    return;
  }
  if (typeof env !== "object" || env === null)
    fail(
      "env",
      `env is ${describeValue(env)}. Pass a name such as "CartPole-v1", or a function: () => new MyEnv().`,
    );
  if ("step" in env || "reset" in env)
    fail(
      "env",
      "env is a single environment, but training needs several copies. Pass a function that creates one: env: () => new MyEnv().",
    );
  // Without steps, all data are recorded.
  if ("spec" in env) return admitSpec(env.spec);
  if ("longest" in env || "alphabet" in env)
    fail(
      "env",
      "env looks like a language task but has no verify(problem, answer). Add one that returns { score, formed }.",
    );
  fail(
    "env",
    `env has ${Object.keys(env).join(", ") || "no fields"}, but needs { spec, make }. Or pass a function: () => new MyEnv().`,
  );
}

/** Refuses results that are not environments. */
export function admitEnv(made: unknown): asserts made is Env | MultiEnv | VectorEnv {
  if (made instanceof Promise)
    fail(
      "env",
      "the function is asynchronous. Await what it needs before, and return the environment synchronously.",
    );
  if (typeof made !== "object" || made === null)
    fail(
      "env",
      `the function returned ${describeValue(made)}; it must return an environment: () => new MyEnv().`,
    );
  if (!("spec" in made) || made.spec === undefined)
    fail(
      "env",
      "the environment has no `spec`. Add one: spec = { id, observation: box([4]), action: discrete(2) }.",
    );
  admitSpec(made.spec);
  for (const call of ["reset", "step"] as const)
    if (typeof (made as { [name: string]: unknown })[call] !== "function")
      fail(
        (made.spec as { id: string }).id,
        `the environment has no ${call}(). It needs reset() and step(action).`,
      );
}

function admitSpec(spec: unknown): void {
  const { id, observation, action } = (spec ?? {}) as { [part: string]: unknown };
  if (typeof id !== "string")
    fail("env", `spec.id is ${describeValue(id)}; it must be a name such as "Corridor-v0".`);
  for (const [part, space] of Object.entries({ observation, action })) {
    const fault = spaceFault(space);
    if (fault) fail(id, `spec.${part} ${fault}.`);
  }
}
