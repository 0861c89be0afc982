import { connect, type Socket } from "node:net";

/** A server's response to raw bytes. */
export interface Answered {
  /** The status of the first response; undefined if there was none. */
  readonly status?: number;
  readonly text: string;
  /** Whether the time was up before the connection closed or the response was complete. */
  readonly hung: boolean;
}

/** How bytes are sent. */
export interface Sending {
  /** Pieces, in order, with a turn of the event loop between them. */
  readonly pieces: Iterable<string | Uint8Array>;
  /** Whether the sending side is closed after the last piece. */
  readonly halfClosed?: boolean;
  /** Whether no response is expected, because the client disconnects. */
  readonly leaves?: boolean;
}

/** Milliseconds after which a server counts as hanging. */
const watchdog = 60_000;

/** Sends bytes to a local port and reads until a response is complete. */
export function sendRaw(port: number, { pieces, halfClosed, leaves }: Sending): Promise<Answered> {
  return new Promise((done) => {
    let text = "";
    let over = false;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const end = (hung: boolean) => {
      over = true;
      clearTimeout(clock);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      done({ text, hung, ...(status === undefined ? {} : { status: Number(status) }) });
    };
    const clock = setTimeout(() => end(true), watchdog);
    socket.setEncoding("latin1");
    socket.on("data", (more: string) => {
      text += more;
      if (isComplete(text)) end(false);
    });
    // A server may close the connection before a refused request is fully sent.
    socket.on("error", () => end(false));
    socket.on("end", () => end(false));
    socket.on("close", () => end(false));
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (over) return;
        if (!socket.write(piece)) await drained(socket);
        await new Promise((next) => setImmediate(next));
      }
      if (over) return;
      if (leaves) end(false);
      else if (halfClosed) socket.end();
    });
  });
}

/** Resolves when more can be written, or when the socket is closed. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      socket.off("drain", end).off("close", end);
      done();
    };
    socket.on("drain", end).on("close", end);
  });

/** Whether a response is complete: by its length, or by its last chunk. */
function isComplete(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (length !== undefined) return text.length >= head + 4 + Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(text.slice(0, head)) && text.endsWith("\r\n0\r\n\r\n");
}
