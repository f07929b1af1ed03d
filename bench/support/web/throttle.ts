import { desktopConfig } from 'lighthouse';
import type { Page } from 'playwright-core';

// The network that Lighthouse simulates for a computer: 40 ms and 10 Mbit/s. The processor is not slowed down.
const { throttling } = desktopConfig.settings ?? {};
const { rttMs = 40, throughputKbps = 10_240 } = throttling ?? {};

/** Throttles a page's network as Lighthouse does for a computer. */
export async function throttleNetwork(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const throughput = (throughputKbps * 1024) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: rttMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}

/** Makes a page load everything, as on a user's first visit. */
export async function forgetCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
}

/** Slows the processor down for a page by a factor; Lighthouse uses 4 for a phone. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
