import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, Next } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** The cookie that holds the token. Cookies are shared by all ports of a host, so the name carries the port: each studio has its own. */
const cookieOf = (host: string) => `reins-studio-${/:(\d+)$/.exec(host)?.[1] ?? 80}`;

/** A random token. */
export const newToken = (): string => randomBytes(24).toString("base64url");

/** Access rules of a server. */
export interface Guard {
  /** Host names by which this server is reached. Others are refused, which stops DNS rebinding. */
  readonly hosts: ReadonlySet<string>;
  /** Accept any host name: for a server that listens on all addresses. */
  readonly anyHost?: boolean;
  /** The token that every request must show, in the cookie or as a bearer token. Without it, other accounts of this machine could use the server. */
  readonly token: string;
}

/** Accepts requests of the studio's page and of programs with the token, and refuses others. */
export const guarded =
  ({ hosts, anyHost, token }: Guard) =>
  async (c: Context, next: Next): Promise<Response | undefined> => {
    const host = c.req.header("host") ?? "";
    if (!anyHost && !hosts.has(nameOf(host)))
      return c.text("Unknown host name. Open the address that `reins studio` printed.", 403);
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`)
      return c.text("Requests from other sites are refused.", 403);
    const isForeign = isOtherSite(c.req.header("sec-fetch-site"));
    // Another site cannot read the response, but its request would still cause work. Links to the page itself are allowed.
    if (isForeign && (c.req.method !== "GET" || c.req.path.startsWith("/api")))
      return c.text("Requests from other sites are refused.", 403);
    const given = c.req.query("token");
    if (given !== undefined && same(given, token)) {
      setCookie(c, cookieOf(host), token, { httpOnly: true, sameSite: "Strict", path: "/" });
      // A strict cookie is not sent with a redirect from another site, so such requests get a page that refreshes itself.
      return isForeign ? c.html('<meta http-equiv="refresh" content="0; url=/">') : c.redirect("/");
    }
    const shown = [getCookie(c, cookieOf(host)), bearer(c.req.header("authorization"))];
    if (!shown.some((text = "") => same(text, token))) {
      if (c.req.path.startsWith("/api/")) return c.json({ error: `${needed} ${wayIn}` }, 401);
      return c.html(refusalPage, 401);
    }
    await next();
    return undefined;
  };

const needed = "This studio needs its token.";
const wayIn =
  "Open the address that `reins studio` printed, or run `reins studio --open` as the user who started it.";
const refusalPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Reins Studio</title>
<h1>${needed}</h1>
<p>${wayIn.replace(/`([^`]*)`/g, "<code>$1</code>")}</p>
</html>
`;

/** Whether a browser reports a request from another site. Programs send no such header, and a typed address is "none". */
const isOtherSite = (site = "none") => site !== "none" && site !== "same-origin";

const bearer = (header = "") => header.replace(/^Bearer /, "");

/** A host name without its port; IPv6 addresses keep their brackets. */
const nameOf = (host: string) => host.replace(/:\d+$/, "").toLowerCase();

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
