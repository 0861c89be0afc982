/** `reins/agent`: trained agents that act, in browsers or Node, without training code. */
export { type ActingAgent, type AgentSource, loadAgent } from "../agents/eager.ts";
