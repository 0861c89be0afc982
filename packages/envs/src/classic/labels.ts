/** Labels of the classic-control environments. */
export const classicLabels = {
  cartPole: {
    observation: ["cart position", "cart velocity", "pole angle", "pole velocity"],
    action: ["left", "right"],
  },
  mountainCar: { observation: ["position", "velocity"], action: ["left", "coast", "right"] },
  mountainCarContinuous: { observation: ["position", "velocity"], action: ["force"] },
  pendulum: { observation: ["cos angle", "sin angle", "angular velocity"], action: ["torque"] },
  acrobot: {
    observation: [
      ...["cos upper angle", "sin upper angle", "cos lower angle", "sin lower angle"],
      ...["upper angular velocity", "lower angular velocity"],
    ],
    action: ["torque -1", "no torque", "torque 1"],
  },
} as const;
