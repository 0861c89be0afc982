import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { imageAttributes } from "./images.ts";
import type { Links } from "./links.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Elements that Markdown files may contain; anything else in angle brackets is text, such as `<name>`. */
const elements =
  /^<\/?(a|b|br|details|img|kbd|p|picture|source|sub|summary|sup|TrainInPage|Playground)\b|^<!--/;

/** Makes repository Markdown safe for Vue templates, and resolves its links. */
export function useRepositoryMarkdown(md: MarkdownRenderer, links: Links): void {
  const escape = md.utils.escapeHtml;
  md.renderer.rules.text = (tokens, i) => escape(tokens[i].content).replaceAll("{{", "&#123;&#123;");
  for (const rule of ["html_inline", "html_block"] as const)
    md.renderer.rules[rule] = (tokens, i, _, env) => {
      const { content } = tokens[i];
      if (!elements.test(content.trim())) return escape(content);
      return content
        .replace(/<img src="([^":]+)" width="(\d+)"/g, (_, link, width) => {
          const sized = imageAttributes(links.fileOf(env.relativePath, link), Number(width));
          return `<img src="${link}" ${Object.entries({ ...sized, ...tokens[i].meta })
            .map(([k, v]) => `${k}="${v}"`)
            .join(" ")}`;
        })
        .replace(
          /\b(src|srcset|href)="(.+?)"/g,
          (_, name, value) => `${name}="${links.resolve(env.relativePath, value)}"`,
        );
    };
  const fence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    const lines = tokens[i].content.trimEnd().split("\n").length;
    return fence(tokens, i, ...rest).replace("<div ", () => `<div style="--lines:${lines}" `);
  };
  md.core.ruler.push("repository", (state) => {
    const page: string = state.env.relativePath;
    orderImages(state.tokens);
    for (const token of state.tokens) {
      // Indented code gets highlighting too.
      if (token.type === "code_block")
        Object.assign(token, { type: "fence", tag: "code", info: languageOf(token.content) });
      for (const child of token.children ?? []) {
        const name = { link_open: "href", image: "src" }[child.type];
        const value = name && child.attrGet(name);
        if (!name || !value) continue;
        if (name === "src" && !/^([a-z]+:|\/)/i.test(value))
          for (const attribute of Object.entries<string>({
            ...imageAttributes(links.fileOf(page, value)),
            ...child.meta,
          }))
            child.attrSet(...attribute);
        child.attrSet(name, links.resolve(page, value));
      }
    }
  });
}

/** Gives a page's opening image priority, as its largest paint; images further down load when they come near. */
function orderImages(tokens: readonly Token[]): void {
  let opening = true;
  for (const token of tokens) {
    if (token.type === "heading_open" && token.tag !== "h1") opening = false;
    for (const part of [token, ...(token.children ?? [])]) {
      if (part.type !== "image" && !part.content.startsWith("<img ")) continue;
      if (part.type === "inline" || part.type === "fence") continue;
      part.meta = opening ? { fetchpriority: "high" } : { loading: "lazy" };
      opening = false;
    }
  }
}

/** What the search index reads of a page: of the API reference names and comments, not declarations. */
export function searchText(text: string, env: MarkdownEnv, md: Pick<MarkdownRenderer, "render">): string {
  const isReference = env.relativePath.startsWith("api/");
  return md.render(isReference ? text.replace(/^```[\s\S]*?^```/gm, "") : text, env);
}

/** The language of an indented code block. */
const languageOf = (code: string) =>
  /^\s*(import|export|const|await|let|type|interface|for|class|function|\/\/)\b|=>/m.test(code) ? "ts" : "sh";
