import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { studioApp } from "./app.ts";
import { newToken } from "./guard.ts";
import type { StudioParts } from "./parts.ts";

/** Options of {@link openStudio}. */
export interface StudioOptions {
  /** The folder of runs. */
  readonly root?: string;
  /** The port; 0 chooses a free one. */
  readonly port?: number;
  /** The address to listen at (default 127.0.0.1). */
  readonly host?: string;
  readonly parts?: StudioParts;
}

/** An open studio. */
export interface Studio {
  /** Its address, with the token. A browser that opens it keeps the token as a cookie. */
  readonly address: string;
  /** The bearer token for programs. */
  readonly token: string;
  close(): Promise<void>;
}

/** Loopback host names. */
const own = ["127.0.0.1", "localhost", "[::1]"];

/** Limits of requests besides the body: Node answers 431 above this size of headers, and 408 after these times. */
const requestLimits = { maxHeaderSize: 16_384, headersTimeout: 30_000, requestTimeout: 60_000 };

/** Opens a studio on a folder of runs. */
export function openStudio({
  root = "runs",
  port = 4680,
  host = "127.0.0.1",
  parts = {},
}: StudioOptions = {}): Promise<Studio> {
  const local = own.includes(host) || host === "::1";
  const token = newToken();
  const hosts = new Set([...own, ...(local ? [] : [host.toLowerCase()])]);
  const app = studioApp(root, parts, { hosts, anyHost: host === "0.0.0.0" || host === "::", token });
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: app.fetch, port, hostname: host, serverOptions: requestLimits },
      (info: AddressInfo) => {
        server.off("error", reject);
        const named = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
        const address = `http://${named}:${info.port}/?token=${token}`;
        resolve({
          address,
          token,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed());
              (server as { closeAllConnections?(): void }).closeAllConnections?.();
            }),
        });
      },
    );
    server.on("error", reject);
  });
}
