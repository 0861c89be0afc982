/** Light or dark: as the person chose, or as the system says. */
export type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");

const chosen = (): Theme | undefined => {
  const kept = localStorage.getItem("theme");
  return kept === "light" || kept === "dark" ? kept : undefined;
};

const apply = () => {
  document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
};

/** Follows what is chosen from now on. */
export function followTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

/** Turns light into dark, and back. */
export function turnTheme(): Theme {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  apply();
  return next;
}
