/** Colour theme: the user's choice, else that of the system. */
export type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");

const chosen = (): Theme | undefined => {
  const stored = localStorage.getItem("theme");
  return stored === "light" || stored === "dark" ? stored : undefined;
};

const apply = () => {
  document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
};

/** Applies the theme, now and when the system's changes. */
export function followTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

/** Switches between light and dark. */
export function turnTheme(): Theme {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  apply();
  return next;
}
