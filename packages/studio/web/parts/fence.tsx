import { Component, type ComponentChildren } from "preact";
import { Notice } from "./notice.tsx";

/** Keeps what goes wrong in a page within it: what a run left behind may be anything. */
export class Fence extends Component<{ children: ComponentChildren }, { wrong?: string }> {
  static override getDerivedStateFromError(error: unknown): { wrong: string } {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }

  override render({ children }: { children: ComponentChildren }, { wrong }: { wrong?: string }) {
    if (wrong === undefined) return children;
    return (
      <Notice bad>
        This cannot be shown: {wrong}. What lies in the run's folder may be torn, or of another version.
      </Notice>
    );
  }
}
