/** A moment by both of the device's clocks. */
export interface DeviceMoment {
  /** `performance.now()`, which stops on some devices while they sleep. */
  steady: number;
  /** `Date.now()`, which users can change. */
  wall: number;
}

export const deviceNow = (): DeviceMoment => ({ steady: performance.now(), wall: Date.now() });

const tolerance = 3_000;

/**
 * Whether the clocks have diverged since a moment, because the device slept or its clock was set. In that case only
 * the server knows the time.
 */
export const clocksDisagree = (before: DeviceMoment, now: DeviceMoment): boolean =>
  Math.abs(now.wall - before.wall - (now.steady - before.steady)) > tolerance;
