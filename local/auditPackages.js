// npm run check -- audit: fails for a known vulnerability, high or critical, in a package that runs in production. Ends with
// exit code 3 if the registry does not answer, as a mirror without advisories does not.
import { spawnSync } from 'node:child_process';

const options = ['--omit=dev', '--package-lock-only', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
const { stdout } = spawnSync('npm', ['audit', ...options], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const { metadata, message, error, vulnerabilities = {} } = JSON.parse(stdout || '{}');
if (!metadata) {
  process.stdout.write(`${message || error?.summary || 'npm audit printed no result'}\n`);
  process.exit(3);
}

const severe = Object.values(vulnerabilities).filter(({ severity }) =>
  ['high', 'critical'].includes(severity),
);
for (const { name, severity, range, via } of severe) {
  const causes = via.map((cause) => (typeof cause === 'string' ? cause : `${cause.title} (${cause.url})`));
  process.stdout.write(`${name} ${range}: ${severity}: ${causes.join(', ')}\n`);
}
process.exit(severe.length === 0 ? 0 : 1);
