// Verifies one password again and again with the parameters of auth, and nothing else, for the seconds in the first
// parameter. Prints how many verifications and how many seconds.
import { hash, verify } from '@node-rs/argon2';

const [seconds = '1', atOnce = '3'] = process.argv.slice(2);
const password = 'a password of the benchmark';
const reference = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1_000;
let operations = 0;

async function repeat(): Promise<void> {
  while (elapsed() < Number(seconds)) {
    await verify(reference, password);
    operations += 1;
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, repeat));
process.stdout.write(JSON.stringify({ operations, seconds: elapsed() }));
