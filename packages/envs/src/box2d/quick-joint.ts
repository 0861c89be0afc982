import type { RevoluteJoint, RevoluteJointDef } from "planck";
import type { Engine } from "./planck.ts";

interface Pair {
  x: number;
  y: number;
}
interface Triple extends Pair {
  z: number;
}
interface BodyInside {
  readonly c_velocity: { v: Pair; w: number };
}

/** Internals of a planck joint. */
interface JointInside {
  readonly m_bodyA: BodyInside;
  readonly m_bodyB: BodyInside;
  readonly m_invMassA: number;
  readonly m_invMassB: number;
  readonly m_invIA: number;
  readonly m_invIB: number;
  readonly m_rA: Pair;
  readonly m_rB: Pair;
  readonly m_mass: { readonly ex: Triple; readonly ey: Triple; readonly ez: Triple };
  readonly m_motorMass: number;
  readonly m_maxMotorTorque: number;
  readonly m_motorSpeed: number;
  readonly m_limitState: number;
  readonly m_impulse: Triple;
  m_motorImpulse: number;
}

const insideOf = (joint: object) => joint as JointInside;

const [inactive, lower, upper] = [0, 1, 2];

type Joint = new (def: RevoluteJointDef) => RevoluteJoint;

const made = new WeakMap<Engine, Joint>();

/**
 * planck's revolute joint with an allocation-free inner loop: it runs 180 times per step and joint, and planck
 * creates a dozen vectors each time. The operations are planck's in planck's order, so that results are
 * bit-identical. For joints with a motor, distinct limits, and at least one rotating body. A joint whose internals
 * differ from planck 1.4 uses planck's own code.
 */
export function quickJoint(engine: Engine): Joint {
  let joint = made.get(engine);
  if (!joint) {
    joint = known(engine) ? quick(engine) : engine.RevoluteJoint;
    made.set(engine, joint);
  }
  return joint;
}

/** Whether the internals used below exist. */
function known({ World, RevoluteJoint }: Engine): boolean {
  const world = new World();
  const [bodyA, bodyB] = [world.createBody({ type: "dynamic" }), world.createBody({ type: "dynamic" })];
  const joint: object = new RevoluteJoint({
    bodyA,
    bodyB,
    localAnchorA: { x: 0, y: 0 },
    localAnchorB: { x: 0, y: 0 },
  });
  const parts = [
    "m_bodyA",
    "m_mass",
    "m_motorImpulse",
    "m_impulse",
    "m_limitState",
    "m_maxMotorTorque",
    "m_motorSpeed",
  ];
  return parts.every((part) => part in joint) && "c_velocity" in bodyA && "solveVelocityConstraints" in joint;
}

function quick({ RevoluteJoint }: Engine): Joint {
  return class QuickJoint extends RevoluteJoint {
    override solveVelocityConstraints(step: { readonly dt: number }): void {
      const inside = insideOf(this);
      const { m_rA: rA, m_rB: rB, m_impulse: sum, m_limitState: limit } = inside;
      const { m_invMassA: mA, m_invMassB: mB, m_invIA: iA, m_invIB: iB } = inside;
      const { ex, ey, ez } = inside.m_mass;
      const a = inside.m_bodyA.c_velocity;
      const b = inside.m_bodyB.c_velocity;
      const vA = a.v;
      const vB = b.v;
      let wA = a.w;
      let wB = b.w;

      const most = step.dt * inside.m_maxMotorTorque;
      const before = inside.m_motorImpulse;
      const wanted = before + -inside.m_motorMass * (wB - wA - inside.m_motorSpeed);
      const motor = wanted < -most ? -most : wanted > most ? most : wanted;
      inside.m_motorImpulse = motor;
      wA -= iA * (motor - before);
      wB += iB * (motor - before);

      // Relative velocity of the two anchors.
      let cx = 0 + (vB.x + -wB * rB.y);
      let cy = 0 + (vB.y + wB * rB.x);
      cx -= vA.x + -wA * rA.y;
      cy -= vA.y + wA * rA.x;
      let px = 0;
      let py = 0;
      let pz = 0;
      let det2 = ex.x * ey.y - ey.x * ex.y;
      if (det2 !== 0) det2 = 1 / det2;
      if (limit === inactive) {
        px = det2 * (ey.y * -cx - ey.x * -cy);
        py = det2 * (ex.x * -cy - ex.y * -cx);
        sum.x += px;
        sum.y += py;
      } else {
        const cz = wB - wA;
        const kx = ey.y * ez.z - ey.z * ez.y;
        const ky = ey.z * ez.x - ey.x * ez.z;
        const kz = ey.x * ez.y - ey.y * ez.x;
        let det = ex.x * kx + ex.y * ky + ex.z * kz;
        if (det !== 0) det = 1 / det;
        px = -(det * (cx * kx + cy * ky + cz * kz));
        py = -(
          det *
          (ex.x * (cy * ez.z - cz * ez.y) + ex.y * (cz * ez.x - cx * ez.z) + ex.z * (cx * ez.y - cy * ez.x))
        );
        pz = -(
          det *
          (ex.x * (ey.y * cz - ey.z * cy) + ex.y * (ey.z * cx - ey.x * cz) + ex.z * (ey.x * cy - ey.y * cx))
        );
        const next = sum.z + pz;
        if ((limit === lower && next < 0) || (limit === upper && next > 0)) {
          // A limit pushes and never pulls.
          const x = -1 * cx + sum.z * ez.x;
          const y = -1 * cy + sum.z * ez.y;
          px = det2 * (ey.y * x - ey.x * y);
          py = det2 * (ex.x * y - ex.y * x);
          pz = -sum.z;
          sum.x += px;
          sum.y += py;
          sum.z = 0;
        } else {
          sum.x += px;
          sum.y += py;
          sum.z += pz;
        }
      }
      vA.x -= mA * px;
      vA.y -= mA * py;
      a.w = wA - iA * (rA.x * py - rA.y * px + pz);
      vB.x += mB * px;
      vB.y += mB * py;
      b.w = wB + iB * (rB.x * py - rB.y * px + pz);
    }
  };
}
