import { type Scrape, scrape } from '@gradeway/test/metrics';
import { startAdminServer } from '../../src/http/adminServer.ts';
import { Health } from '../../src/process/health.ts';

/** Scrapes this process. Unlike `scrapeSelf` of test/, it reads the registry of the sources, not of the built package. */
export async function scrapeSelf(): Promise<Scrape> {
  const adminServer = await startAdminServer(new Health(), '127.0.0.1', 0);
  try {
    return await scrape(`http://127.0.0.1:${adminServer.port}`);
  } finally {
    await adminServer.close();
  }
}
