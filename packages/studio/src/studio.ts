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
  /** The address to listen at; others than this machine's own are reached with a token only. */
  readonly host?: string;
  readonly parts?: StudioParts;
}

/** A studio that is open. */
export interface Studio {
  /** Where it is, with the token where one is needed. */
  readonly address: string;
  close(): Promise<void>;
}

/** Names of this machine that nobody else's can be. */
const own = ["127.0.0.1", "localhost", "[::1]"];

/** Opens a studio on a folder of runs. */
export function openStudio({
  root = "runs",
  port = 4680,
  host = "127.0.0.1",
  parts = {},
}: StudioOptions = {}): Promise<Studio> {
  const local = own.includes(host) || host === "::1";
  const token = local ? undefined : newToken();
  const hosts = new Set([...own, ...(local ? [] : [host.toLowerCase()])]);
  const app = studioApp(root, parts, { hosts, anyHost: host === "0.0.0.0" || host === "::", token });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (info: AddressInfo) => {
      server.off("error", reject);
      const named = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
      const address = `http://${named}:${info.port}/${token ? `?token=${token}` : ""}`;
      resolve({
        address,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            (server as { closeAllConnections?(): void }).closeAllConnections?.();
          }),
      });
    });
    server.on("error", reject);
  });
}
