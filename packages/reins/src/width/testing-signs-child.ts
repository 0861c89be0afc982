/** A process that trains for another one. It is stateless: each message is a state and a batch, each answer the next state. */
import { setBackend } from "@reins/tensor";
import { type Order, serve } from "./testing-signs.ts";

setBackend("wasm");
process.on("message", (message) => process.send?.(serve(message as Order)));
