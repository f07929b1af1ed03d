// npm run api:release: records the OpenAPI and AsyncAPI documents of a release, with which later releases must be
// compatible.
import { writeFileSync } from 'node:fs';
import { currentDocument, documentNames, releasedFile } from './documents.ts';

for (const name of documentNames)
  writeFileSync(releasedFile(name), `${JSON.stringify(currentDocument(name), null, 1)}\n`);
