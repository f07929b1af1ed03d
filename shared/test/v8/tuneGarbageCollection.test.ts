import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

// `npm run bench gateway` measures the effect of the flags.
test('this version of Node.js supports every flag that tunes its garbage collection', async () => {
  const module = new URL('../../dist/v8/tuneGarbageCollection.js', import.meta.url).href;
  const script = `
    import { mock } from 'node:test';
    import { tuneGarbageCollection } from ${JSON.stringify(module)};
    mock.timers.enable({ apis: ['setTimeout'] });
    tuneGarbageCollection();
    mock.timers.runAll();`;
  const { stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stderr).toBe('');
  const unknown = await run(process.execPath, ['--eval', "v8.setFlagsFromString('--an-unknown-flag')"]);
  expect(unknown.stderr).toContain('unrecognized flag');
});
