import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with one plain line that any tool can read: `N passed, N failed`. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    let [passed, failed, skipped, slow] = [0, 0, 0, 0];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else if (state === "failed") failed++;
        else if (test.tags.includes("slow")) slow++;
        else skipped++;
      }
      // A file that does not load has no tests, but it has failed.
      if (module.errors().length > 0) failed++;
    }
    process.on("exit", () => {
      if (slow) console.log(`${slow} slow tests left out: npm run test:all runs them`);
      if (skipped) console.log(`${skipped} skipped`);
      console.log(`${passed} passed, ${failed} failed`);
    });
  }
}
