import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, root, slugOf } from "./repository.ts";

/** A page of the API reference. */
export interface ApiPage {
  /** Path in the site's content. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** The pages of one package, its own page first. */
export interface ApiPackage {
  readonly name: string;
  readonly pages: readonly ApiPage[];
}

interface Section {
  readonly name: string;
  /** Unique in its package: names that differ only in case get a number, as on GitHub. */
  readonly anchor: string;
  /** Source file, from the root. */
  readonly file: string;
  readonly text: string;
}

/** Names from which on a package gets a page for each subject. */
const largest = 60;

/** The API reference by package and subject. A subject is a folder of the package's sources. */
export const apiPackages = (): ApiPackage[] =>
  filesIn("docs/api", ".md")
    .filter((file) => !file.endsWith("/README.md"))
    .map(packageOf)
    .sort((a, b) => a.name.length - b.name.length || a.name.localeCompare(b.name));

function packageOf(file: string): ApiPackage {
  const id = file.slice("docs/api/".length, -".md".length);
  const text = readFileSync(join(root, file), "utf8");
  const name = /^# `(.+)`/.exec(text)?.[1] ?? id;
  const sections = sectionsOf(text);
  const packages = new Set(sections.map((section) => section.file.split("/")[1]));
  const subjects = inParts(
    grouped(sections, ({ file }) => (packages.size > 1 ? file.split("/")[1] : subjectOf(file))),
  );
  if (sections.length <= largest || packages.size > 1)
    return { name, pages: [{ page: `api/${id}.md`, title: name, text: onePage(name, subjects) }] };
  const pages = [...subjects].map(([subject, own]) => ({
    page: `api/${id}/${slugOf(subject)}.md`,
    title: subject,
    text: subjectPage(name, subject, own),
  }));
  const index = [...subjects].map(
    ([subject, own]) =>
      `## [${subject}](/api/${id}/${slugOf(subject)})\n\n${links(own, `/api/${id}/${slugOf(subject)}`)}`,
  );
  return {
    name,
    pages: [
      {
        page: `api/${id}/index.md`,
        title: "Overview",
        text: `# \`${name}\` ${mark("in-this-page")}\n\n${index.join("\n\n")}\n`,
      },
      ...pages,
    ],
  };
}

/** Divides large subjects into parts of several files each. */
function inParts(subjects: Map<string, Section[]>): Map<string, Section[]> {
  return new Map(
    [...subjects].flatMap(([subject, all]): [string, Section[]][] => {
      if (all.length <= largest || subjects.size === 1) return [[subject, all]];
      const parts: Section[][] = [[]];
      for (const own of grouped(all, ({ file }) => file).values()) {
        if (parts.at(-1)!.length + own.length > largest) parts.push([]);
        parts.at(-1)!.push(...own);
      }
      const titleOf = (part: Section[]) =>
        `${subject}: ${moduleOf(part[0].file)} to ${moduleOf(part.at(-1)!.file)}`;
      return parts.filter((part) => part.length).map((part) => [titleOf(part), part]);
    }),
  );
}

const moduleOf = (file: string) => file.split("/").at(-1)!.replace(/\.ts$/, "");

/** The folder of a source file in its package. */
function subjectOf(file: string): string {
  const [folder, ...rest] = file.split("/src/")[1].split("/");
  if (rest.length === 0) return "Modules";
  const words = folder.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

function sectionsOf(text: string): Section[] {
  const found: Section[] = [];
  const used = new Map<string, number>();
  const unique = (anchor: string) => {
    const count = used.get(anchor) ?? 0;
    used.set(anchor, count + 1);
    return count ? `${anchor}-${count}` : anchor;
  };
  // A heading inside a code block is not a section.
  let fenced = false;
  let lines: string[] = [];
  const end = () => {
    const name = lines[0]?.slice(3);
    const file = /^\[(.+?)\]/.exec(lines[2] ?? "")?.[1];
    if (name && file)
      found.push({ name, anchor: unique(anchorOf(name)), file, text: lines.slice(3).join("\n").trim() });
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    if (!fenced && line.startsWith("## ")) {
      end();
      lines = [];
    }
    lines.push(line);
  }
  end();
  return found;
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b)));
}

/** Delimiters of a heading's anchor. Braces are text in these pages. */
export const attributeDelimiters = { leftDelimiter: "⟦", rightDelimiter: "⟧" };

const mark = (anchor: string) => `⟦#${anchor}⟧`;

const anchorOf = (name: string) => name.toLowerCase().replace(/[^\w-]/g, "");

const links = (sections: readonly Section[], page = "") =>
  sections.map(({ name, anchor }) => `[\`${name}\`](${page}#${anchor})`).join(" · ");

const sectionText = ({ name, anchor, file, text }: Section, level: string) =>
  `${level} ${name} ${mark(anchor)}\n\n${text}\n\n[${file}](../../${file})`;

const onePage = (name: string, subjects: Map<string, Section[]>) =>
  `# \`${name}\` ${mark("in-this-page")}\n\n${[...subjects]
    .map(([subject, own]) => {
      const body = own.map((section) => sectionText(section, subjects.size > 1 ? "###" : "##")).join("\n\n");
      return subjects.size > 1
        ? `## ${subject} ${mark(`in-${slugOf(subject)}`)}\n\n${links(own)}\n\n${body}`
        : `${links(own)}\n\n${body}`;
    })
    .join("\n\n")}\n`;

/** A subject's names, by the file that declares them. */
function subjectPage(name: string, subject: string, sections: readonly Section[]): string {
  const files = grouped(sections, ({ file }) => file);
  const parts = [...files].map(([file, own]) => {
    return `## ${moduleOf(file)} ${mark(`in-${slugOf(file.split("/src/")[1].replaceAll("/", " "))}`)}\n\n${own.map((section) => sectionText(section, "###")).join("\n\n")}`;
  });
  return `# ${subject} ${mark("in-this-page")}\n\nNames of \`${name}\`.\n\n${links(sections)}\n\n${parts.join("\n\n")}\n`;
}
