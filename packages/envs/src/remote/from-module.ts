import { type AsyncEnv, type Env, fail, type MultiEnv, type VectorEnv } from "@reins/core";

type Made = Env | AsyncEnv | MultiEnv | VectorEnv;
type Maker = ((options: object) => Made) & (new (options: object) => Made);

/**
 * The environment factory of a module: its default export, or the one named `env`, is a class, a function that
 * makes a copy, or one that makes a vector environment of several rows. It receives the options. `path` is the
 * file in messages.
 */
export function environmentFactory(
  exported: { readonly [name: string]: unknown },
  path: string,
): (options: object, rows: number) => Made {
  const maker = exported.default ?? exported.env;
  if (typeof maker !== "function")
    fail(
      path,
      "it does not export an environment. Export a class or a function that makes one: export default () => new MyEnv().",
    );
  return (options, rows) => {
    const made = construct(maker as Maker, { ...options, rows });
    if (typeof made !== "object" || made === null || !("spec" in made))
      fail(path, "its export does not make an environment: the result has no `spec`.");
    return made;
  };
}

function construct(maker: Maker, given: object): Made {
  return /^class\b/.test(Function.prototype.toString.call(maker)) ? new maker(given) : maker(given);
}
