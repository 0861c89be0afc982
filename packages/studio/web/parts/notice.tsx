import type { ComponentChildren } from "preact";

/** Something that a person should know. */
export const Notice = ({ bad, children }: { bad?: boolean; children: ComponentChildren }) => (
  <div class={bad ? "notice bad" : "notice"} role={bad ? "alert" : "status"}>
    {children}
  </div>
);
