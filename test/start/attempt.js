// Runs `npm start` once in the current directory, as the first command of a new user: waits until it is ready, logs in,
// creates a course, stops everything by Ctrl-C and checks that no process is left.
//   node attempt.js COURSES     COURSES: how many courses the data must hold before (2 in the demonstration school)
// Plain JavaScript, because test/start/run calls it with any Node.js that Gradeway supports.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const limitMs = 180_000;
const expectedCourses = Number(process.argv[2] ?? 0);
const directory = resolve(process.env.DATA_DIR ?? '.data');

const startedAt = Date.now();
let output = '';
// A separate process group, as a shell creates for each command.
const npm = spawn('npm', ['start'], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
const exited = new Promise((settle) => {
  npm.once('exit', (code, signal) => settle(signal ?? code));
  npm.once('error', (error) => settle(error.message));
});
const ready = new Promise((settle) => {
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Gradeway is ready')) settle('ready');
    });
});

try {
  const state = await within(
    limitMs,
    'ready',
    Promise.race([ready, exited.then((code) => `ended: ${code}`)]),
  );
  if (state !== 'ready') throw new Error(`npm start ${state}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  await useTheInterface();
  const pids = readdirSync(join(directory, 'run'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, 'run', name), 'utf8')).pid);
  process.kill(-npm.pid, 'SIGINT');
  await within(60_000, 'stopped', exited);
  const left = pids.filter(isAlive);
  if (left.length > 0) throw new Error(`processes are left: ${left.join(', ')}`);
  process.stdout.write(`ready after ${seconds} s\n`);
} catch (error) {
  process.stdout.write(`${output}\n${error.message}\n`);
  if (npm.exitCode === null) process.kill(-npm.pid, 'SIGTERM');
  await exited;
  process.exitCode = 1;
}

async function useTheInterface() {
  const { adminEmail, adminPassword } = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8'));
  const login = await call('POST', '/api/v3/login', { email: adminEmail, password: adminPassword });
  const authorization = `Bearer ${login.access_token}`;
  const courses = await call('GET', '/api/v3/admin/courses', undefined, { authorization });
  if (courses.meta.total !== expectedCourses)
    throw new Error(`there are ${courses.meta.total} courses, expected ${expectedCourses}`);
  await call('POST', '/api/v3/admin/courses', { title: 'Geometry' }, { authorization });
}

async function call(method, path, body, headers = {}) {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function within(ms, name, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not ${name} after ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
