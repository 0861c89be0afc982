import { axes, forceNumbers, perBody, spatialState, torques } from "../body-labels.ts";

/** Observations besides positions and velocities. */
interface Shown {
  readonly includeCinertInObservation: boolean;
  readonly includeCvelInObservation: boolean;
  readonly includeQfrcActuatorInObservation: boolean;
  readonly includeCfrcExtInObservation: boolean;
}

const sides = ["right", "left"];
const legs = sides.flatMap((side) => ["hip x", "hip z", "hip y", "knee"].map((part) => `${side} ${part}`));
const arms = sides.flatMap((side) => ["shoulder 1", "shoulder 2", "elbow"].map((part) => `${side} ${part}`));
/** In the order of the body's coordinates, and in that of its motors. */
const joints = ["abdomen z", "abdomen y", "abdomen x", ...legs, ...arms];
const motors = ["abdomen y", "abdomen z", "abdomen x", ...legs, ...arms];
const bodies = [
  ...["torso", "lower waist", "pelvis"],
  ...sides.flatMap((side) => ["thigh", "shin", "foot"].map((part) => `${side} ${part}`)),
  ...sides.flatMap((side) => ["upper arm", "lower arm"].map((part) => `${side} ${part}`)),
];
const inertia = [
  ...["inertia xx", "inertia yy", "inertia zz", "inertia xy", "inertia xz", "inertia yz"],
  ...axes.map((axis) => `mass offset ${axis}`),
  "mass",
];
const motion = [...axes.map((axis) => `angular velocity ${axis}`), ...axes.map((axis) => `velocity ${axis}`)];

/** Labels of the humanoid observations; the first `hidden` positions are left out. */
export function humanoidLabels(o: Shown, hidden: number) {
  const has = (included: boolean, labels: readonly string[]) => (included ? labels : []);
  return {
    observation: [
      ...spatialState("torso", joints, hidden),
      ...has(o.includeCinertInObservation, perBody(bodies, inertia)),
      ...has(o.includeCvelInObservation, perBody(bodies, motion)),
      ...has(
        o.includeQfrcActuatorInObservation,
        joints.map((joint) => `${joint} motor force`),
      ),
      ...has(o.includeCfrcExtInObservation, perBody(bodies, forceNumbers)),
    ],
    action: torques(motors),
  };
}
