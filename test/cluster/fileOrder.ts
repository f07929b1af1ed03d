import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The first test of `deploy` checks the initial deployment, which the others change. Then come the files that
// measure, which run alone, and then those that run concurrently, ordered so that none waits for long.
const order = [
  ...['deploy', 'capacity', 'autoscaling', 'failures', 'production', 'secrets', 'productionPolicies'],
  ...['backup', 'followRequest', 'monitoring', 'networkPolicies', 'updates'],
];

/** The order of the test files; files that are not listed come last. Vitest would sort them by their earlier durations. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = order.indexOf(basename(moduleId, '.test.ts'));
      return at < 0 ? order.length : at;
    };
    return files.toSorted((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId, 'en'));
  }
}
