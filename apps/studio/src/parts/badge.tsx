/** A state as a coloured badge; `count` is the number of runs in it. */
export const Badge = ({ state, count }: { state: string; count?: number }) => (
  <span class={`badge ${state}`}>{count === undefined ? state : `${count} ${state}`}</span>
);
