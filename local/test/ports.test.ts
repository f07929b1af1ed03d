import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/**
 * Chooses ports, prints them, and then waits for its standard input to end, which happens once the others have chosen
 * theirs.
 */
const program = `
  import { freePort } from '${new URL('../dist/ports.js', import.meta.url)}';
  const ports = [];
  for (let count = 0; count < 400; count += 1) ports.push(await freePort());
  console.log(JSON.stringify(ports));
  process.stdin.resume();
`;

test.runIf(process.platform === 'linux')(
  'processes that choose ports at the same time choose different ones',
  async () => {
    // Without a reservation, about 70 of these 1,200 would be chosen twice.
    const choosers = Array.from({ length: 3 }, () =>
      run(process.execPath, ['--input-type=module', '--eval', program]),
    );
    const printed = choosers.map(
      ({ child }) => new Promise((resolve) => void child.stdout?.once('data', resolve)),
    );
    await Promise.all(printed);
    for (const { child } of choosers) child.stdin?.end();
    const ports = (await Promise.all(choosers)).flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
    expect(ports).toHaveLength(1_200);
    expect(new Set(ports).size).toBe(1_200);
  },
);
