import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test.each([
  ['sbom', 'writeSbom.js', ['--hlep'], '--hlep'],
  ['sbom', 'writeSbom.js', ['one.json', 'two.json'], 'two.json'],
  ['licenses', 'checkLicenses.js', ['--hlep'], '--hlep'],
  ['docs:settings', 'dist/generateSettingsDocs.js', ['--hlep'], '--hlep'],
])('npm run %s rejects an argument that it does not have (%s, %j)', (command, file, parameters, unknown) => {
  const script = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parameters], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: `npm run ${command} has no argument ${unknown}; see --help\n`,
  });
});
