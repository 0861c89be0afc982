import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium as playwright } from "playwright-core";
import { chromium } from "../../../reins/dist/testing-browser.js";

const folder = fileURLToPath(new URL("../../../studio/dist/web", import.meta.url));
const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** The training page with CartPole in Chromium: trains, plays and draws during its round, and is paused otherwise. */
export async function openTrainPage(): Promise<{
  turn(seconds: number): Promise<number>;
  stop(): Promise<void>;
}> {
  const server = createServer(({ url = "/" }, response) => {
    const file = join(folder, url === "/" ? "index.html" : url.replace(/\?.*/, ""));
    const found = file.startsWith(folder) && existsSync(file);
    response.writeHead(found ? 200 : 404, {
      "content-type": types[file.split(".").at(-1)!] ?? "image/svg+xml",
    });
    response.end(found ? readFileSync(file) : "");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await playwright.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const stop = async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  };
  const page = await browser.newPage();
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.goto(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/#/train/cartpole?steps=1000000000`,
  );
  await page.getByLabel("Speed").selectOption({ label: "unlimited" });
  await press("Train");
  await page.waitForSelector('[data-phase="training"]');
  // The policy for playback is compiled after the first update.
  await page.waitForTimeout(2000);
  await press("Pause");
  const look = async () => {
    const [steps, seconds] = await page
      .locator(".train-state")
      .evaluate((e) => [e.dataset.steps, e.dataset.seconds].map(Number));
    return { steps, seconds };
  };
  return {
    /** Seconds per step, by the worker's own clock. */
    async turn(seconds) {
      await press("Resume");
      await page.waitForTimeout(700);
      const from = await look();
      await page.waitForTimeout(1000 * seconds);
      const to = await look();
      await press("Pause");
      await page.waitForTimeout(300);
      return (to.seconds - from.seconds) / (to.steps - from.steps);
    },
    stop,
  };
}
