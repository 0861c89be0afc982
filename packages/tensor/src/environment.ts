import { TensorError } from "./errors.ts";

/** An environment variable, if the platform has them and it is set. */
export const environment = (name: string): string | undefined =>
  typeof process !== "undefined" ? process.env?.[name] || undefined : undefined;

/** Refuses the value of an environment variable. The value is wrong for every back end, so none is tried instead. */
export function refuse(name: string, value: string, instead: string): never {
  throw new TensorError(`${name} is "${value}"; ${instead}`);
}
