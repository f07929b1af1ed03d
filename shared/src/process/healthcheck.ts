import { readConfig } from '../config/readConfig.ts';
import { processSettings } from '../config/serviceSettings.ts';

// Health check of a container: exits with 0 if its process is ready. The images contain no curl or wget.
const { adminPort } = readConfig({ adminPort: processSettings.adminPort }, process.env);
const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`, {
  signal: AbortSignal.timeout(3_000),
}).catch((error: Error) => error);
if (response instanceof Error || !response.ok) {
  const answer = response instanceof Error ? response.message : await response.text();
  process.stderr.write(`not ready: ${answer}\n`);
  process.exit(1);
}
