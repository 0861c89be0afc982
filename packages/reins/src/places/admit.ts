import { type Env, fail, type MultiEnv, type StepPlace, said, spaceFault, type VectorEnv } from "@reins/core";

/** Stops where something else than a way to make environments was given, and says what to give. */
export function admitMaker(
  env: unknown,
): asserts env is StepPlace | (() => Env) | (() => MultiEnv) | ((rows: number) => VectorEnv) {
  if (typeof env === "function") {
    if (/^class\b/.test(Function.prototype.toString.call(env)))
      fail("env", `${env.name} is a class. Give a function that makes one: env: () => new ${env.name}().`);
    return;
  }
  if (typeof env !== "object" || env === null)
    fail("env", `this is ${said(env)}. Give a name such as "CartPole-v1", or a function: () => new MyEnv().`);
  if ("step" in env || "reset" in env)
    fail(
      "env",
      "this is one environment, and training plays several copies. Give a function that makes one: env: () => new MyEnv().",
    );
  // Where nothing is stepped, all was recorded.
  if ("spec" in env) return admitSpec(env.spec);
  if ("longest" in env || "alphabet" in env)
    fail(
      "env",
      "this looks like a task in words, and has no verify(problem, answer), which judges answers: { score, formed }.",
    );
  fail(
    "env",
    `a record of ${Object.keys(env).join(", ") || "nothing"} is no environment: it needs { spec, make }. Or give a function: () => new MyEnv().`,
  );
}

/** Stops where a function gave back something else than an environment. */
export function admitEnv(made: unknown): asserts made is Env | MultiEnv | VectorEnv {
  if (made instanceof Promise)
    fail(
      "env",
      "the function is asynchronous. Prepare what it needs before, and let it give back the environment.",
    );
  if (typeof made !== "object" || made === null)
    fail("env", `the function gave back ${said(made)}; it must make an environment: () => new MyEnv().`);
  if (!("spec" in made) || made.spec === undefined)
    fail(
      "env",
      "what was made has no `spec`. Say what it is: spec = { id, observation: box([4]), action: discrete(2) }.",
    );
  admitSpec(made.spec);
  for (const call of ["reset", "step"] as const)
    if (typeof (made as { [name: string]: unknown })[call] !== "function")
      fail(
        (made.spec as { id: string }).id,
        `it has no ${call}(). An environment has reset() and step(action).`,
      );
}

function admitSpec(spec: unknown): void {
  const { id, observation, action } = (spec ?? {}) as { [part: string]: unknown };
  if (typeof id !== "string")
    fail("env", `spec.id is ${said(id)}; call it by a name, such as "Corridor-v0".`);
  for (const [part, space] of Object.entries({ observation, action })) {
    const fault = spaceFault(space);
    if (fault) fail(id, `spec.${part} ${fault}.`);
  }
}
