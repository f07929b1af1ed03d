import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '@gradeway/test/childEnvironment';
import { startClientHost } from '@gradeway/test/client/clientHost';
import { installClient, nodePrograms } from '@gradeway/test/client/installClient';
import { runCommand, useHome } from '@gradeway/test/client/runCommand';
import { describe, expect, inject, test } from 'vitest';
import { asAdmin } from '../fixtures.ts';

const { baseUrl } = inject('system');
const { command } = await installClient();
const token = (await asAdmin()).token ?? '';
const home = useHome();

const credentials = () => join(home(), 'config/gradeway/credentials.json');

describe('login', () => {
  test.each(nodePrograms)('it keeps a token that works, for the user only (%s)', async (node) => {
    const options = { home: home(), node };
    const parameters = ['login', '--url', `${baseUrl}/`];
    const loggedIn = await runCommand(command, parameters, { ...options, stdin: `${token}\n` });
    expect([loggedIn.code, loggedIn.stderr]).toEqual([0, '']);
    expect(loggedIn.stdout).toContain(`Logged in to ${baseUrl} as`);
    expect(loggedIn.stdout).not.toContain(token);
    expect((await stat(credentials())).mode & 0o777).toBe(0o600);

    expect((await runCommand(command, ['courses'], options)).code).toBe(0);
    await runCommand(command, ['logout'], options);
    const after = await runCommand(command, ['courses', '--url', baseUrl], options);
    expect([after.code, after.stderr]).toEqual([2, expect.stringContaining('run gradeway login')]);
  });

  test('a wrong token is refused and not kept', async () => {
    const { code, stderr } = await runCommand(command, ['login', '--url', baseUrl], {
      home: home(),
      stdin: 'wrong',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('UnauthorizedRequest')]);
    await expect(stat(credentials())).rejects.toThrow('ENOENT');
  });

  test('a kept token is not sent to another host', async () => {
    await runCommand(command, ['login', '--url', baseUrl], { home: home(), stdin: token });
    const other = await startClientHost(baseUrl);
    const { code, stderr } = await runCommand(command, ['courses', '--url', other.url], { home: home() });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`No token for ${other.url}`)]);
    expect(other.requests).toEqual([]);
  });

  test('on a terminal, a prompt asks for the token and does not show it', async () => {
    const shell = `${process.execPath} ${command} login --url ${baseUrl}`;
    const child = spawn('script', ['-qec', shell, '/dev/null'], {
      env: { ...childEnvironment, HOME: home(), XDG_CONFIG_HOME: `${home()}/config`, TERM: 'xterm' },
    });
    let shown = '';
    child.stdout.on('data', (chunk) => {
      const asked = shown.includes('not shown');
      shown += chunk;
      if (!asked && shown.includes('not shown')) child.stdin.write(`${token}\r`);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, shown]).toEqual([0, expect.stringContaining('Logged in')]);
    expect(shown).not.toContain(token);
  });
});
