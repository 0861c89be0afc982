import type { ComponentChildren } from "preact";

/** A message to the user. */
export const Notice = ({ bad, children }: { bad?: boolean; children: ComponentChildren }) => (
  <div class={bad ? "notice bad" : "notice"} role={bad ? "alert" : "status"}>
    {children}
  </div>
);
