/** An environment variable, where there are any and it is set. */
export const environment = (name: string): string | undefined =>
  typeof process !== "undefined" ? process.env?.[name] || undefined : undefined;
