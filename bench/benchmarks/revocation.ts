// Measures how long a token stays accepted after its session has ended (D13), at the gateway and at every service.
import { Fixtures } from '@gradeway/test/fixtures';
import { startLocalSystem } from '@gradeway/test/localSystem';
import { waitUntilRefused } from '@gradeway/test/waitUntilRefused';
import { median } from '../support/measuring/statistics.ts';

const [rounds, goalMs] = [20, 2_000];

const system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' });
const durations: Record<string, number>[] = [];
try {
  const fixtures = new Fixtures(system);
  for (let round = 0; round < rounds; round += 1) {
    const student = await fixtures.newStudent();
    durations.push(await waitUntilRefused(system, student.token, () => student.post('/api/v3/logout')));
  }
} finally {
  await system.remove();
}

for (const name of Object.keys(durations[0] ?? {})) {
  const ms = durations.map((each) => each[name] ?? 0);
  console.log(
    `${name.padEnd(9)} median ${median(ms).toFixed(0)} ms   longest ${Math.max(...ms).toFixed(0)} ms`,
  );
}
const longest = Math.max(...durations.flatMap((each) => Object.values(each)));
console.log(`Longest: ${longest.toFixed(0)} ms (goal: at most ${goalMs} ms)`);
process.exit(longest <= goalMs ? 0 : 1);
