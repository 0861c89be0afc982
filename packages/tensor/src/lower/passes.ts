import type { Node } from "../graph.ts";
import type { Member } from "./members.ts";

/** The pass that computes each member, as late as its users allow; and the pass before which a row's values are ready. */
export function schedule(
  list: readonly Member[],
  own: ReadonlyMap<Node, Member>,
  isStored: (m: Member) => boolean,
) {
  const pass = new Map<Node, number>();
  const ready = new Map<Node, number>();
  for (const m of list) {
    let at = 0;
    for (const r of m.reads)
      if (r.kind === "member")
        at = Math.max(
          at,
          own.get(r.node)!.level === "row" || own.get(r.node)!.reduces
            ? ready.get(r.node)!
            : pass.get(r.node)!,
        );
    if (m.level === "full") pass.set(m.node, at);
    if (m.reduces) ready.set(m.node, at + 1);
    else if (m.level === "row") ready.set(m.node, at);
  }
  for (const m of [...list].reverse()) {
    if (m.level !== "full" || m.reduces) continue;
    const users = list.filter(
      (c) => c.level === "full" && c.reads.some((r) => r.kind === "member" && r.node === m.node),
    );
    if (users.length > 0)
      pass.set(m.node, Math.max(pass.get(m.node)!, Math.min(...users.map((c) => pass.get(c.node)!))));
  }
  const full = list.filter((m) => m.level === "full" && (m.reduces || isStored(m)));
  return { pass, ready, passes: Math.max(0, ...full.map((m) => pass.get(m.node)! + 1)) };
}
