import type { ComponentChildren } from "preact";

/** A panel that scrolls sideways if needed, also by keyboard. */
export const Scroll = ({ title, children }: { title: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
  <section class="panel scroll" aria-label={title} tabIndex={0}>
    <h2>{title}</h2>
    {children}
  </section>
);
