// Generates proto/src/generated from the .proto files, if they are newer. Plain JavaScript, because it runs before the build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, 'src/generated');
const sources = readdirSync(join(here, 'gradeway'), { recursive: true })
  .filter((name) => name.endsWith('.proto'))
  .map((name) => join('gradeway', name));

const newest = Math.max(...[...sources, 'generate.js'].map((name) => statSync(join(here, name)).mtimeMs));
if (existsSync(output) && statSync(output).mtimeMs >= newest) process.exit(0);

const loader = createRequire(import.meta.url).resolve('@grpc/proto-loader/package.json');
rmSync(output, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    join(dirname(loader), 'build/bin/proto-loader-gen-types.js'),
    ...['--longs=Number', '--enums=String', '--defaults', '--arrays', '--objects', '--oneofs'],
    ...['--grpcLib=@grpc/grpc-js', '--importFileExtension=.ts', '--includeComments'],
    ...['--includeDirs=.', `--outDir=${output}`],
    ...sources,
  ],
  { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] },
);
utimesSync(output, new Date(), new Date());
