import { Component, type ComponentChildren } from "preact";
import { Notice } from "./notice.tsx";

/** Error boundary of a page: files of a run may hold anything. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, { wrong?: string }> {
  static override getDerivedStateFromError(error: unknown): { wrong: string } {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }

  override render({ children }: { children: ComponentChildren }, { wrong }: { wrong?: string }) {
    if (wrong === undefined) return children;
    return (
      <Notice bad>
        This page cannot be shown: {wrong}. A file of the run may be damaged or from another version.
      </Notice>
    );
  }
}
