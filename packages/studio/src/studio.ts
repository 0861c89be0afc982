import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { studioApp } from "./app.ts";
import { newToken } from "./guard.ts";
import type { StudioParts } from "./parts.ts";

/** How the studio is opened. */
export interface StudioOptions {
  /** The folder of runs. */
  readonly root?: string;
  /** The port; 0 takes one that is free. */
  readonly port?: number;
  /** The address to listen at (default 127.0.0.1). */
  readonly host?: string;
  readonly parts?: StudioParts;
}

/** A studio that is open. */
export interface Studio {
  /** Its address, with the token. A browser that opens it keeps the token as a cookie. */
  readonly address: string;
  /** What programs send as their bearer token. */
  readonly token: string;
  close(): Promise<void>;
}

/** Names by which this machine reaches itself. */
const own = ["127.0.0.1", "localhost", "[::1]"];

/** Limits on a request beside that on its body: Node answers 431 above this size of headers, and 408 after these times. */
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
