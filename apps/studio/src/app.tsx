import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { href, type Route, useRoute } from "./route.ts";
import { hasBook, isSite } from "./source.ts";
import { turnTheme } from "./theme.ts";

type Page = ComponentType<{ route: Route }>;

/** A page; `inSite` says whether it works from plain files, without a studio. */
interface PageEntry {
  readonly title: string;
  readonly inBar: boolean;
  readonly inSite?: boolean;
  readonly load: () => Promise<Page>;
}

/** Pages are loaded when they are first opened. */
const all: Readonly<Record<string, PageEntry>> = {
  runs: { title: "Runs", inBar: true, load: async () => (await import("./pages/runs.tsx")).RunsPage },
  run: { title: "Run", inBar: false, load: async () => (await import("./pages/run.tsx")).RunPage },
  compare: {
    title: "Compare",
    inBar: true,
    load: async () => (await import("./pages/compare.tsx")).ComparePage,
  },
  tunings: {
    title: "Tunings",
    inBar: true,
    load: async () => (await import("./pages/tunings.tsx")).TuningsPage,
  },
  recipes: {
    title: "Recipes",
    inBar: true,
    inSite: hasBook,
    load: async () => (await import("./pages/recipes.tsx")).RecipesPage,
  },
  train: {
    title: "Train here",
    inBar: true,
    inSite: true,
    load: async () => (await import("./pages/train.tsx")).TrainPage,
  },
};
const pages = isSite ? Object.fromEntries(Object.entries(all).filter(([, { inSite }]) => inSite)) : all;

/** Shown where the files of a page cannot be fetched. */
const unreachable = isSite ? "This page cannot be loaded." : "The studio does not answer.";

/** The page that opens first. */
const home = Object.keys(pages)[0];

/** The navigation bar and the current page. */
export function App() {
  const route = useRoute();
  const name = route.path[0] ?? home;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  const [loaded, setLoaded] = useState<{
    name: string;
    Page?: Page;
    error?: string;
    isUnreachable?: boolean;
  }>();
  useEffect(() => {
    if (!page) return setLoaded({ name, error: "Page not found." });
    let over = false;
    page.load().then(
      (Page) => over || setLoaded({ name, Page }),
      () => over || setLoaded({ name, error: unreachable, isUnreachable: true }),
    );
    return () => {
      over = true;
    };
  }, [name]);
  useEffect(() => {
    document.title = `${route.path[1] ?? page?.title ?? "Not found"} · Reins Studio`;
  });
  const now = loaded?.name === name ? loaded : undefined;
  return (
    <div class="frame">
      <header class="bar">
        <a class="brand" href={href([home])}>
          <img src="./icon.svg" alt="" /> Reins Studio
        </a>
        <nav aria-label="Pages">
          {Object.entries(pages)
            .filter(([, { inBar }]) => inBar)
            .map(([to, { title }]) => (
              <a
                key={to}
                href={href([to])}
                aria-current={name === to || (to === "runs" && name === "run") ? "page" : undefined}
              >
                {title}
              </a>
            ))}
        </nav>
        <button type="button" class="plain foot" onClick={turnTheme} aria-label="Theme: light or dark">
          ◐ <span class="wide-only">Theme</span>
        </button>
      </header>
      <main>
        {now?.Page ? (
          <ErrorBoundary key={route.path.join("/")}>
            <now.Page route={route} />
          </ErrorBoundary>
        ) : now?.error ? (
          <div class="empty">
            <h1>{now.error}</h1>
            {now.isUnreachable ? (
              <>
                <p>It was stopped or updated. Start it again, then reload the page:</p>
                <pre>reins studio</pre>
                <p>
                  <button type="button" onClick={() => location.reload()}>
                    Reload
                  </button>
                </p>
              </>
            ) : (
              <p>
                <a href={href([home])}>← {pages[home].title}</a>
              </p>
            )}
          </div>
        ) : null}
      </main>
    </div>
  );
}
