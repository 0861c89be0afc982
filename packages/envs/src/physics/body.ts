/** A point in the frame of a link, in metres. */
export type PlanarPoint = readonly [x: number, z: number];

/** Type of a coordinate: a slide along a world axis, or a hinge. */
export interface BodyJoint {
  /** -1 if positive values turn clockwise. */
  readonly axis?: 1 | -1;
  /** Start of the soft limit, in metres or radians. */
  readonly range?: readonly [least: number, most: number];
  /** Damping. */
  readonly damping?: number;
  /** Stiffness of a spring towards 0. */
  readonly stiffness?: number;
  /** Armature: inertia of the motor's rotor at the joint. */
  readonly armature?: number;
  /** Force or torque of a full action; absent: no motor. */
  readonly gear?: number;
}

/** A contact sphere of a link. */
export interface Contact {
  readonly at: PlanarPoint;
  readonly radius: number;
  readonly friction: number;
}

/** A capsule: the shape of a link, and its default mass distribution. */
export interface Capsule {
  readonly from: PlanarPoint;
  readonly to: PlanarPoint;
  readonly radius: number;
}

/** A rigid link. Its frame begins at its hinge. */
export interface Link {
  readonly name: string;
  /** The name of its parent link, listed before it; absent: it moves in the world. */
  readonly parent?: string;
  /** Position of its hinge in the parent's frame, or in the world. */
  readonly at?: PlanarPoint;
  readonly mass: number;
  /** Its centre of mass. */
  readonly center: PlanarPoint;
  /** About its centre of mass. */
  readonly inertia: number;
  /** Slides along the world axes; only links without a parent have them. */
  readonly slideX?: BodyJoint;
  readonly slideZ?: BodyJoint;
  readonly hinge?: BodyJoint;
  readonly contacts?: readonly Contact[];
  readonly shapes?: readonly Capsule[];
}

/** Parameters of ground and joint limits. Both are spring-dampers, integrated implicitly, so that steps may be long. */
export interface Softness {
  /** Stiffness of the ground in N/m. */
  readonly stiffness: number;
  /** Damping of the ground in N·s/m. */
  readonly damping: number;
  /** Depth over which the ground's force ramps up, in metres. */
  readonly skin: number;
  /** Speed below which friction is weaker than Coulomb's, in m/s. */
  readonly slip: number;
  /** Stiffness and damping of joint limits in N·m/rad and N·m·s/rad. */
  readonly stopStiffness: number;
  readonly stopDamping: number;
}

/** One or several articulated bodies, as plain data. */
export interface PlanarBody {
  readonly links: readonly Link[];
  readonly softness?: Partial<Softness>;
}

/** Defaults of a body. */
export const usualSoftness: Softness = {
  stiffness: 2e4,
  damping: 300,
  skin: 1e-3,
  slip: 0.05,
  stopStiffness: 4000,
  stopDamping: 50,
};
