import { expect, it } from "vitest";
import { firstAddress, linkedSource } from "./links.ts";

it("links papers and repositories", () => {
  expect(linkedSource("arXiv:2504.05520, owner/na.me")).toBe(
    "[arXiv:2504.05520](https://arxiv.org/abs/2504.05520), [owner/na.me](https://github.com/owner/na.me)",
  );
  expect(linkedSource("doi:10.1162/neco")).toBe("[doi:10.1162/neco](https://doi.org/10.1162/neco)");
});

it("has no address for a source without one", () => {
  expect(firstAddress("a testbed")).toBeUndefined();
  expect(firstAddress("arXiv:1910.06764, 2105.14039")).toBe("https://arxiv.org/abs/1910.06764");
});
