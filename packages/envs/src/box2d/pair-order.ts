import type { World } from "planck";

interface Proxy {
  readonly proxyId: number;
}
type AddPair = (a: Proxy, b: Proxy) => void;

/** Internals of a planck world. */
interface WorldInside {
  readonly m_broadPhase?: { updatePairs?: (add: AddPair) => void };
}

/**
 * Makes a world find new contacts in Box2D's order, the creation order of the shapes; planck uses the order of its
 * tree. Contacts are solved one after the other, so their order matters: with it, walkers follow Gymnasium step by
 * step. A world whose internals differ from planck 1.4 is left unchanged.
 */
export function orderPairs(world: World): void {
  const self: object = world;
  const phase = (self as WorldInside).m_broadPhase;
  const update = phase?.updatePairs?.bind(phase);
  if (!phase || !update) return;
  const found: (readonly [Proxy, Proxy])[] = [];
  const note: AddPair = (a, b) => void found.push(a.proxyId < b.proxyId ? [a, b] : [b, a]);
  phase.updatePairs = (add) => {
    update(note);
    if (!found.length) return;
    found.sort(([a, b], [c, d]) => a.proxyId - c.proxyId || b.proxyId - d.proxyId);
    for (const [a, b] of found) add(a, b);
    found.length = 0;
  };
}
