import type { ComponentChildren } from "preact";

/** A panel that scrolls sideways where it must, by keys too. */
export const Scroll = ({ title, children }: { title: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
  <section class="panel scroll" aria-label={title} tabIndex={0}>
    <h2>{title}</h2>
    {children}
  </section>
);
