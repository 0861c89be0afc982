/** Flags of WebGPU. Browsers have them as globals; TypeScript's library does not declare these. */
export const bufferUsage = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 } as const;
export const mapForReading = 1;
export const computeStage = 4;
