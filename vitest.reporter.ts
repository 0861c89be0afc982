import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with one plain line that any tool can read: `N passed, N failed`. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    let [passed, failed, skipped] = [0, 0, 0];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else if (state === "failed") failed++;
        else skipped++;
      }
      // A file that does not load has no tests, but it has failed.
      if (module.errors().length > 0) failed++;
    }
    process.on("exit", () => {
      if (skipped) console.log(`${skipped} skipped`);
      console.log(`${passed} passed, ${failed} failed`);
    });
  }
}
