/** Requests of a studio page for a folder of runs, in this process. */
interface App {
  request(path: string, init?: RequestInit): Response | Promise<Response>;
}
type StudioApp = (
  root: string,
  parts: object,
  guard: { readonly hosts: ReadonlySet<string>; readonly token: string },
) => App;

/** Sends every request that a page can send for a run. Internal server errors are returned as text. */
export async function askStudio(root: string, run: string): Promise<string> {
  // The server is not part of the package's interface, but it is the subject of these tests.
  const { studioApp } = (await import(new URL("../../studio/dist/app.js", import.meta.url).href)) as {
    studioApp: StudioApp;
  };
  const app = studioApp(root, {}, { hosts: new Set(["localhost"]), token: "token" });
  const ask = (method: string, path: string, body?: string) =>
    app.request(`http://localhost/api${path}`, {
      method,
      body,
      headers: { host: "localhost", authorization: "Bearer token" },
    });
  const at = `/runs/${run}`;
  const failures: string[] = [];
  for (const [method, path, body] of [
    ["GET", "/runs"],
    ["GET", at],
    ["GET", `${at}/spark`],
    ["GET", `${at}/columns/metrics?name=return/mean&name=__proto__`],
    ["GET", `${at}/columns/times`],
    ["GET", `${at}/events`],
    ["GET", "/episodes"],
    ["GET", `${at}/episodes`],
    ["GET", `${at}/episodes/1`],
    ["GET", `${at}/episodes/999999999999999`],
    ["GET", `${at}/transcripts`],
    ["GET", `${at}/transcripts/0`],
    ["PUT", `${at}/marks`, '{"note":"x","tags":["a"]}'],
    ["DELETE", at],
    ["POST", `/deleted/${run}`, "{}"],
  ]) {
    const answer = await ask(method, path, body);
    const text = await answer.text();
    if (answer.status >= 500) failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
  }
  return failures.join("\n");
}
