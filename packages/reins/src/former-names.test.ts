import { expect, it } from "vitest";
import { entries, exportsOf, isFormer } from "./testing-exports.ts";

const own = entries.filter(({ specifier }) => !specifier.startsWith("reins/"));
const former = own.flatMap((entry) =>
  exportsOf(entry.source)
    .filter((e) => isFormer(e) && !e.name.includes("."))
    .map((e) => ({ ...e, entry })),
);

/** The message of a use. */
function messageOf(use: () => unknown): string {
  try {
    use();
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

it("any use of a name of version 0.1 gives a name that exists", async () => {
  expect(former.length).toBeGreaterThan(160);
  for (const { name, entry } of former) {
    const module = (await import(/* @vite-ignore */ entry.specifier)) as Record<string, never>;
    const value = module[name] as unknown as { (): unknown; new (): object; any: unknown };
    const message = messageOf(() => value());
    for (const use of [() => new value(), () => value.any, () => class extends value {}])
      expect(messageOf(use), `${entry.specifier} ${name}`).toBe(message);
    const [, now, whole, from = entry.specifier.replace("@", "")] =
      /Use (?:(\w+)|import \* as (\w+))(?: (?:of|from) "([^"]+)")? \(docs/.exec(message) ?? [];
    expect(now ?? whole, message).toBeDefined();
    const target = entries.find(({ specifier }) => specifier === from)!;
    const names = exportsOf(target.source).filter((e) => !isFormer(e));
    if (now)
      expect(
        names.map((e) => e.name),
        message,
      ).toContain(now);
    else expect(names.length, message).toBeGreaterThan(0);
  }
});
