import { TensorError } from "./errors.ts";

/** An environment variable, where there are any and it is set. */
export const environment = (name: string): string | undefined =>
  typeof process !== "undefined" ? process.env?.[name] || undefined : undefined;

/** Refuses what an environment variable says. No back end makes it right, so none is tried instead. */
export function refuse(name: string, value: string, instead: string): never {
  throw new TensorError(`${name} is "${value}"; ${instead}`);
}
