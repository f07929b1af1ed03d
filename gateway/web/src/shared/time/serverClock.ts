import { type DeviceMoment, deviceNow } from './deviceClocks.ts';

/** The time of the last response by the server's clock, and its arrival by the device's clocks. */
export let lastResponse: { served: number; received: DeviceMoment } | undefined;

export function setServerClock(served: Date): void {
  lastResponse = { served: served.getTime(), received: deviceNow() };
}
