import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { href, type Route, useRoute } from "./route.ts";
import { turnTheme } from "./theme.ts";

type Page = ComponentType<{ route: Route }>;

/** A page, which is loaded when it is gone to. */
interface Place {
  readonly title: string;
  readonly inBar: boolean;
  /** Whether it needs no server. */
  readonly alone?: boolean;
  readonly load: () => Promise<Page>;
}

/** All pages. */
const all: Readonly<Record<string, Place>> = {
  runs: { title: "Runs", inBar: true, load: async () => (await import("./pages/runs.tsx")).RunsPage },
  run: { title: "Run", inBar: false, load: async () => (await import("./pages/run.tsx")).RunPage },
  compare: {
    title: "Compare",
    inBar: true,
    load: async () => (await import("./pages/compare.tsx")).ComparePage,
  },
  train: {
    title: "Train here",
    inBar: true,
    alone: true,
    load: async () => (await import("./pages/train.tsx")).TrainPage,
  },
};

/** Whether the page lies on any server, with no studio behind it: our own takes the mark away. */
const isAlone = "alone" in document.documentElement.dataset && !import.meta.env.DEV;
const pages = isAlone ? Object.fromEntries(Object.entries(all).filter(([, { alone }]) => alone)) : all;
const home = Object.keys(pages)[0];

/** The page: a bar to go about by, and where one is. */
export function App() {
  const route = useRoute();
  const name = route.path[0] ?? home;
  const page = pages[name];
  const [loaded, setLoaded] = useState<{ name: string; Page?: Page; error?: string }>();
  useEffect(() => {
    if (!page) return setLoaded({ name, error: "There is no such page." });
    let over = false;
    page.load().then(
      (Page) => over || setLoaded({ name, Page }),
      (error: Error) => over || setLoaded({ name, error: error.message }),
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
        <button type="button" class="plain foot" onClick={turnTheme} aria-label="Light or dark">
          ◐ <span class="wide-only">Theme</span>
        </button>
      </header>
      <main>
        {now?.Page ? (
          <now.Page route={route} />
        ) : now?.error ? (
          <div class="empty">
            <h2>{now.error}</h2>
            <a href={href([home])}>{pages[home].title}</a>
          </div>
        ) : null}
      </main>
    </div>
  );
}
