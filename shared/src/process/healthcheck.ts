import { readSettings } from '../config/readConfig.ts';
import { processSettings } from '../config/serviceSettings.ts';

// The health check of a container: exit code 0 when the process in it is ready. An image has no other program to ask.
const { adminPort } = readSettings({ adminPort: processSettings.adminPort }, process.env);
const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`, {
  signal: AbortSignal.timeout(3_000),
}).catch((error: Error) => error);
if (response instanceof Error || !response.ok) {
  const answer = response instanceof Error ? response.message : await response.text();
  process.stderr.write(`not ready: ${answer}\n`);
  process.exit(1);
}
