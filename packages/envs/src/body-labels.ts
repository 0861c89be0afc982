/** Labels of joints, whose angles and velocities are observed. */
const angles = (joints: readonly string[]) => joints.map((joint) => `${joint} angle`);
const speeds = (joints: readonly string[]) => joints.map((joint) => `${joint} velocity`);

/**
 * Labels of a body in the x-z plane: positions of its trunk and joints without the first `hidden`, then all
 * velocities.
 */
export const planarState = (trunk: string, joints: readonly string[], hidden: number): string[] => [
  ...[`${trunk} x`, `${trunk} height`, `${trunk} angle`, ...angles(joints)].slice(hidden),
  ...[`${trunk} x velocity`, `${trunk} vertical velocity`, `${trunk} angular velocity`, ...speeds(joints)],
];

/** Labels of a body in space, whose trunk has three coordinates and a quaternion. */
export const spatialState = (trunk: string, joints: readonly string[], hidden: number): string[] => [
  ...[
    ...axes.map((axis) => `${trunk} ${axis}`),
    ...["w", ...axes].map((part) => `${trunk} quaternion ${part}`),
    ...angles(joints),
  ].slice(hidden),
  ...axes.map((axis) => `${trunk} ${axis} velocity`),
  ...axes.map((axis) => `${trunk} angular velocity ${axis}`),
  ...speeds(joints),
];

/** Labels of motor commands. */
export const torques = (joints: readonly string[]): string[] => joints.map((joint) => `${joint} torque`);

/** Labels of an arm with two joints: cosines, then sines of their angles. */
export const armAngles = (joints: readonly string[]): string[] => [
  ...joints.map((joint) => `cos ${joint} angle`),
  ...joints.map((joint) => `sin ${joint} angle`),
];

/** The axes of space. */
export const axes = ["x", "y", "z"];

/** One label for each body and each of its numbers. */
export const perBody = (bodies: readonly string[], numbers: readonly string[]): string[] =>
  bodies.flatMap((body) => numbers.map((number) => `${body} ${number}`));

/** Labels of the six components of a force on a body. */
export const forceNumbers = [...axes.map((axis) => `torque ${axis}`), ...axes.map((axis) => `force ${axis}`)];
