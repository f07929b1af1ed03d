// Compares the response times for known and unknown accounts (D8, D16): a difference would reveal which accounts exist.
import { Fixtures } from '@gradeway/test/fixtures';
import { startLocalSystem } from '@gradeway/test/localSystem';
import { median } from '../support/measuring/statistics.ts';

// At most as many wrong codes as an account may receive in a day (D50).
const [rounds, goal] = [30, 1.3];

const system = await startLocalSystem({
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_LIMIT_PER_ACCOUNT: '0',
  LOGIN_LIMIT_PER_ADDRESS: '0',
});
const fixtures = new Fixtures(system);
const client = fixtures.callAs();
const requests: [name: string, send: (email: string) => Promise<unknown>][] = [
  ['refused login', (email) => fixtures.logIn(email, 'wrong password')],
  ['code request', (email) => client.post('/api/v3/login/otp', { email })],
  ['refused code', (email) => client.post('/api/v3/login/otp/verify', { email, code: 'wrong' })],
];

/** The median response times in milliseconds. The requests alternate, so that other load affects both equally. */
async function compare(send: (email: string) => Promise<unknown>, emails: string[]): Promise<number[]> {
  const durations = emails.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, email] of emails.entries()) {
      const startedAt = performance.now();
      await send(email);
      durations[index]?.push(performance.now() - startedAt);
    }
  return durations.map(median);
}

let worst = 1;
try {
  const { email } = await fixtures.newAccount();
  for (const [name, send] of requests) {
    const [known = 1, unknown = 1] = await compare(send, [email, 'unknown@test.example']);
    const ratio = Math.max(known / unknown, unknown / known);
    worst = Math.max(worst, ratio);
    console.log(
      `${name.padEnd(14)} known ${known.toFixed(1)} ms   unknown ${unknown.toFixed(1)} ms   ratio ${ratio.toFixed(2)}`,
    );
  }
} finally {
  await system.remove();
}
console.log(`Largest ratio: ${worst.toFixed(2)} (goal: at most ${goal})`);
process.exit(worst <= goal ? 0 : 1);
