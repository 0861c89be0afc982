import type { Body, FixtureDef, RevoluteJoint, World } from "planck";
import { orderPairs } from "./pair-order.ts";
import type { Engine } from "./planck.ts";
import { quickJoint } from "./quick-joint.ts";

/** Step settings of every world: Gymnasium's numbers, far more iterations than a game would use. */
export const framesPerSecond = 50;
const velocityIterations = 180;
const positionIterations = 60;

/** An empty world. */
export function newWorld({ World }: Engine, gravity: number): World {
  const world = new World({ gravity: { x: 0, y: gravity } });
  orderPairs(world);
  return world;
}

/** Advances a world by one step. */
export function stepWorld(world: World): void {
  world.step(1 / framesPerSecond, velocityIterations, positionIterations);
}

/** Collision masks: the ground collides with everything, moving bodies only with the ground. */
export const ground = 0x0001;
export const mover = { filterCategoryBits: 0x0020, filterMaskBits: ground } as const;

/** Initial state of a moving body. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly angle?: number;
}

/** A moving body. */
export function movingBody(world: World, { x, y, angle = 0 }: Placed, fixture: FixtureDef): Body {
  const body = world.createBody({ type: "dynamic", position: { x, y }, angle });
  body.createFixture(fixture);
  return body;
}

/** Corners of a convex shape, counterclockwise. */
type Corners = readonly (readonly [x: number, y: number])[];

/** A moving body with these corners, in units of `1 / scale`. */
export function polygonBody(
  { Polygon }: Engine,
  world: World,
  placed: Placed,
  outline: { readonly corners: Corners; readonly scale: number },
  fixture: Omit<FixtureDef, "shape"> & { readonly density: number },
): Body {
  const corners = outline.corners.map(([x, y]) => ({ x: x / outline.scale, y: y / outline.scale }));
  const body = movingBody(world, placed, { ...fixture, shape: new Polygon(corners) });
  // planck 1.4 computes a wrong centroid for asymmetric polygons: a sum uses x for y.
  body.setMassData(massOf(corners, fixture.density));
  return body;
}

/** Mass, centre of mass and moment of inertia about the origin, as sums over triangles with a corner there. */
function massOf(corners: readonly { readonly x: number; readonly y: number }[], density: number) {
  let [mass, x, y, I] = [0, 0, 0, 0];
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    const m = (density * (a.x * b.y - a.y * b.x)) / 2;
    mass += m;
    x += (m * (a.x + b.x)) / 3;
    y += (m * (a.y + b.y)) / 3;
    I += (m * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y)) / 6;
  });
  return { mass, center: { x: x / mass, y: y / mass }, I };
}

/** A motorised joint between two angle limits. */
export interface Hinge {
  readonly on: Body;
  readonly of: Body;
  /** Anchor on the first body. */
  readonly at: Placed;
  /** Anchor on the second body. */
  readonly to: Placed;
  readonly torque: number;
  readonly speed: number;
  readonly range: readonly [lowest: number, highest: number];
}

/** Joins two bodies. Angles are relative to the current pose. */
export function hinge(engine: Engine, world: World, h: Hinge): RevoluteJoint {
  const joint = new (quickJoint(engine))({
    bodyA: h.on,
    bodyB: h.of,
    localAnchorA: h.at,
    localAnchorB: h.to,
    enableMotor: true,
    enableLimit: true,
    maxMotorTorque: h.torque,
    motorSpeed: h.speed,
    lowerAngle: h.range[0],
    upperAngle: h.range[1],
  });
  world.createJoint(joint);
  return joint;
}

/**
 * Which bodies touch the ground. A foot that leaves one ground piece counts as lifted even if it stands on
 * another, as in Gymnasium.
 */
export class Touches {
  /** Whether the hull has touched the ground. */
  crashed = false;
  /** 1 for each foot on the ground. */
  readonly feet: Uint8Array;

  constructor(world: World, hull: Body, feet: readonly Body[]) {
    this.feet = new Uint8Array(feet.length);
    const note = (body: Body, down: 0 | 1) => {
      if (body === hull && down) this.crashed = true;
      const foot = feet.indexOf(body);
      if (foot >= 0) this.feet[foot] = down;
    };
    world.on("begin-contact", (contact) => {
      note(contact.getFixtureA().getBody(), 1);
      note(contact.getFixtureB().getBody(), 1);
    });
    world.on("end-contact", (contact) => {
      note(contact.getFixtureA().getBody(), 0);
      note(contact.getFixtureB().getBody(), 0);
    });
  }
}
