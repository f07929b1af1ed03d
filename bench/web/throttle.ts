import type { Page } from 'playwright-core';

/** What Lighthouse's presets throttle, as it applies them through the protocol of the developer tools. */
const presets = {
  /** A computer with a good connection. */
  desktop: { cpuSlowdown: 1, latencyMs: 40, kilobitsPerSecond: 10_240 },
  /** A phone of the middle class with a slow one. */
  phone: { cpuSlowdown: 4, latencyMs: 150 * 3.75, kilobitsPerSecond: 1_638.4 * 0.9 },
} as const;

export type Preset = keyof typeof presets;

/** Throttles the processor and the network of a page. */
export async function throttle(page: Page, preset: Preset): Promise<void> {
  const { cpuSlowdown, latencyMs, kilobitsPerSecond } = presets[preset];
  const session = await page.context().newCDPSession(page);
  const throughput = (kilobitsPerSecond * 1024) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}

/** Throttles the processor alone. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
