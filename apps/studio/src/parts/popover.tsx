import type { ComponentChildren } from "preact";

/** A button that opens a panel over the page, which closes on Escape or a click outside. */
export const Popover = (props: { id: string; label: string; title: string; children: ComponentChildren }) => (
  <>
    <button type="button" popovertarget={props.id} aria-label={props.title}>
      {props.label}
    </button>
    <div id={props.id} popover="auto" class="popover" role="dialog" aria-label={props.title}>
      <div class="head">
        <h2>{props.title}</h2>
        <span class="space" />
        <button type="button" class="plain" popovertarget={props.id} popovertargetaction="hide">
          Close
        </button>
      </div>
      {props.children}
    </div>
  </>
);
