// npm run check -- versions: prints each file that names another version of Gradeway than package.json.
import { join } from 'node:path';
import { packageVersion, versionedFiles, versionsIn } from './versions.ts';

const root = join(import.meta.dirname, '../..');
const current = packageVersion(root);
const others = versionedFiles(root).flatMap(([path, text]) => {
  const found = [...new Set(versionsIn(text))].filter((version) => version !== current);
  return found.map((version) => `${path}: ${version}, but package.json has ${current}\n`);
});
process.stderr.write(others.join(''));
process.exit(others.length === 0 ? 0 : 1);
