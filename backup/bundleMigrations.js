// Copies the migrations of all services into dist/migrations, so that a restore can create their tables. Plain JavaScript:
// it is a step of the build.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, 'dist/migrations');
rmSync(target, { recursive: true, force: true });
for (const path of globSync('services/*/migrations/*.sql', { cwd: join(here, '..') })) {
  const source = join(here, '..', path);
  const service = basename(dirname(dirname(source)));
  // `\ir` includes a table of the shared library (decision 0028).
  const sql = readFileSync(source, 'utf8').replace(/^\\ir (\S+)$/gm, (_line, included) =>
    readFileSync(join(dirname(source), included), 'utf8'),
  );
  mkdirSync(join(target, service), { recursive: true });
  writeFileSync(join(target, service, basename(source)), sql);
}
