// Repeatedly hashes a password with the parameters of auth. Arguments: the duration in seconds, the number of
// concurrent hashes, and the implementation: `auth` (the library that auth uses) or `node` (Node.js's own, from
// OpenSSL). Prints the number of hashes and the elapsed seconds.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { hash, verify } from '@node-rs/argon2';

const [seconds = '1', atOnce = '3', implementation = 'auth'] = process.argv.slice(2);
const password = 'a password of the benchmark';
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const reference = await hash(password, cost);
const hashByNode = promisify(argon2);
const nodeCost = { memory: cost.memoryCost, passes: cost.timeCost, parallelism: cost.parallelism };

const hashOnce = {
  auth: () => verify(reference, password),
  node: () =>
    hashByNode('argon2id', { ...nodeCost, message: password, nonce: randomBytes(16), tagLength: 32 }),
}[implementation];
if (!hashOnce) throw new Error(`unknown implementation: ${implementation}`);

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1_000;
let operations = 0;

async function repeat(hashing: () => Promise<unknown>): Promise<void> {
  while (elapsed() < Number(seconds)) {
    await hashing();
    operations += 1;
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, () => repeat(hashOnce)));
process.stdout.write(JSON.stringify({ operations, seconds: elapsed() }));
