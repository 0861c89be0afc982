import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, Next } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** The cookie that a browser has once it came with the token. Cookies know no ports, so that its name says it: each studio of a machine has its own. */
const cookieOf = (host: string) => `reins-studio-${/:(\d+)$/.exec(host)?.[1] ?? 80}`;

/** A token that nobody guesses. */
export const newToken = (): string => randomBytes(24).toString("base64url");

/** Who may ask. */
export interface Guard {
  /** Names by which this server is reached: a page elsewhere whose name was bent to this machine has another. */
  readonly hosts: ReadonlySet<string>;
  /** Whether any name will do: with the token, where it is not known by which name others reach this machine. */
  readonly anyHost?: boolean;
  /** What must be known, where the server can be reached from elsewhere. */
  readonly token?: string;
}

/** Lets through what comes from our own page, or from a program on this machine, and nothing else. */
export const guarded =
  ({ hosts, anyHost, token }: Guard) =>
  async (c: Context, next: Next): Promise<Response | undefined> => {
    const host = c.req.header("host") ?? "";
    if (!anyHost && !hosts.has(nameOf(host))) return c.text("This is not a name of this server.", 403);
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`)
      return c.text("Other pages may not ask here.", 403);
    // What they cannot read they could still let be worked out. Links to the page itself are fine.
    if (
      isForeign(c.req.header("sec-fetch-site")) &&
      (c.req.method !== "GET" || c.req.path.startsWith("/api"))
    )
      return c.text("Other pages may not ask here.", 403);
    if (token !== undefined) {
      const given = c.req.query("token");
      if (given !== undefined && same(given, token)) {
        setCookie(c, cookieOf(host), token, { httpOnly: true, sameSite: "Strict", path: "/" });
        return c.redirect("/");
      }
      const shown = [getCookie(c, cookieOf(host)), bearer(c.req.header("authorization"))];
      if (!shown.some((text = "") => same(text, token)))
        return c.text("Open the address that `reins studio` printed: it has a token.", 403);
    }
    await next();
    return undefined;
  };

/** Whether a browser says that another page asks, be it of this machine: programs say nothing, and what is typed is "none". */
const isForeign = (site = "none") => site !== "none" && site !== "same-origin";

const bearer = (header = "") => header.replace(/^Bearer /, "");

/** The name of a host without its port; addresses of IPv6 keep their brackets. */
const nameOf = (host: string) => host.replace(/:\d+$/, "").toLowerCase();

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
