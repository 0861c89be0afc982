/** A point in the frame of a link, in metres. */
export type PlanarPoint = readonly [x: number, z: number];

/** What a coordinate does: a slide along an axis of the world, or a hinge. */
export interface Joint {
  /** -1 where a hinge turns clockwise for positive numbers. */
  readonly axis?: 1 | -1;
  /** Where a soft stop begins to push back, in metres or radians. */
  readonly range?: readonly [least: number, most: number];
  /** Force against the speed. */
  readonly damping?: number;
  /** Force of a spring that pulls to 0. */
  readonly stiffness?: number;
  /** Inertia of the motor's rotor, as the joint feels it. */
  readonly armature?: number;
  /** Force or torque of a full action; without it there is no motor. */
  readonly gear?: number;
}

/** A point of a link that feels the ground, as a ball. */
export interface Contact {
  readonly at: PlanarPoint;
  readonly radius: number;
  readonly friction: number;
}

/** A stick with round ends: what a link looks like, and what it weighs if nobody says otherwise. */
export interface Capsule {
  readonly from: PlanarPoint;
  readonly to: PlanarPoint;
  readonly radius: number;
}

/** One rigid part. Its frame begins at its hinge. */
export interface Link {
  readonly name: string;
  /** The link that it hangs on, by name, listed before it; without one it moves in the world. */
  readonly parent?: string;
  /** Where its hinge is in the parent's frame, or in the world. */
  readonly at?: PlanarPoint;
  readonly mass: number;
  /** Its centre of mass. */
  readonly center: PlanarPoint;
  /** About its centre of mass. */
  readonly inertia: number;
  /** Slides along the world's axes; only links without a parent have them. */
  readonly slideX?: Joint;
  readonly slideZ?: Joint;
  readonly hinge?: Joint;
  readonly contacts?: readonly Contact[];
  readonly shapes?: readonly Capsule[];
}

/** How the ground and the stops of joints push back. Both are springs with dampers, which are taken implicitly, so that steps may be long. */
export interface Softness {
  /** N/m of the ground. */
  readonly stiffness: number;
  /** N·s/m of the ground. */
  readonly damping: number;
  /** Over which depth the ground's force begins, in metres. */
  readonly skin: number;
  /** The speed under which friction is weaker than Coulomb's, in m/s. */
  readonly slip: number;
  /** N·m/rad and N·m·s/rad of the stops of joints. */
  readonly stopStiffness: number;
  readonly stopDamping: number;
}

/** An articulated body, or several, as plain data. */
export interface PlanarBody {
  readonly links: readonly Link[];
  readonly softness?: Partial<Softness>;
}

/** What is used where a body says nothing. */
export const usualSoftness: Softness = {
  stiffness: 2e4,
  damping: 300,
  skin: 1e-3,
  slip: 0.05,
  stopStiffness: 4000,
  stopDamping: 50,
};
