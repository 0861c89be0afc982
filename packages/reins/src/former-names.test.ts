import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entries, exportsOf, isFormer } from "./testing-exports.ts";
import { root, sources } from "./testing-wording.ts";

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

it("errors and comments use the present names", () => {
  const files = sources().filter((file) => /^packages\/\w+\/src\/.*\.ts$/.test(file));
  const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const current = own.flatMap(({ source }) => exportsOf(source).filter((e) => !isFormer(e)));
  const gone = new Set(former.map(({ name }) => name));
  for (const { name } of current) gone.delete(name);
  const isSource = (file: string) => !/\.test\.|\/testing|former-names/.test(file);
  const declared = new Set(
    texts
      .filter(({ file }) => isSource(file))
      .flatMap(({ text }) => [
        ...text.matchAll(/\b(?:function\*?|class|const|let) ([\w$]+)|\bas ([\w$]+)|\b([\w$]+)\??(?=[:(])/g),
      ])
      .map((m) => m[1] ?? m[2] ?? m[3]),
  );
  const wrong = texts
    .filter(({ file }) => isSource(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:fail|episodesOf|onImages)\(\s*"([a-z]\w*)"/g)]
        .map((m) => m[1])
        .filter((name) => gone.has(name) || (/[A-Z]/.test(name) && !declared.has(name)))
        .concat(
          [...text.matchAll(/^ *(?:\/?\*|\/\/).*$/gm)]
            .flatMap(([line]) => [...line.matchAll(/`(\w+)[`(]|@link (\w+)\}/g)])
            .map((m) => m[1] ?? m[2])
            .filter((name) => gone.has(name) && !declared.has(name)),
        )
        .map((name) => `${file}: ${name}`),
    );
  expect(wrong).toEqual([]);
});
