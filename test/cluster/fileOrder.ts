import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Its first test is about the deployment as it was made, which the tests of the other files change.
const first = 'deploy.test.ts';

/** The order of the test files: deploy.test.ts, then alphabetical. Vitest would sort them by their durations in earlier runs. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const key = ({ moduleId }: TestSpecification) => (basename(moduleId) === first ? '' : basename(moduleId));
    return files.toSorted((a, b) => key(a).localeCompare(key(b), 'en'));
  }
}
