import VPSidebar from "vitepress/dist/client/theme-default/components/VPSidebar.vue";
import { defineAsyncComponent, type HydrationStrategy } from "vue";

const wide = "(min-width: 960px)";
const interactions = ["pointerdown", "pointerover", "keydown", "focusin", "scroll", "touchstart"];

/**
 * Hydrates when the sidebar is needed: in idle time where it is visible, and on phones, where a menu button shows it,
 * at the reader's first interaction. Its list of pages takes longer to hydrate than the rest of a page.
 */
const whenNeeded: HydrationStrategy = (hydrate) => {
  if (matchMedia(wide).matches) {
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    idle(hydrate);
    return undefined;
  }
  const start = () => {
    stop();
    hydrate();
  };
  const stop = () => {
    for (const name of interactions) removeEventListener(name, start, true);
  };
  for (const name of interactions) addEventListener(name, start, { capture: true, passive: true });
  return stop;
};

/** The theme's sidebar, which is part of the page's HTML and becomes interactive later. */
export default defineAsyncComponent({
  loader: () => Promise.resolve(VPSidebar),
  hydrate: whenNeeded,
});
