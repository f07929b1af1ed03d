import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The files that take more than about forty seconds on two cores, longest first.
const longest = [
  'test/faults/table/failover.test.ts',
  'test/faults/table/processes.test.ts',
  'test/faults/table/rabbit.test.ts',
  'test/browser/axe.test.ts',
  'test/faults/erasure.test.ts',
  'test/browser/display.test.ts',
  'test/browser/axeOverlays.test.ts',
  'test/faults/backup.test.ts',
  'test/faults/table/replicas.test.ts',
  'test/browser/partlyLoaded.test.ts',
  'shared/test/events/broker.contract.test.ts',
  'test/faults/attacks.test.ts',
  'test/browser/student.test.ts',
  'test/faults/table/brokerMessages.test.ts',
  'services/courses/test/import.faults.test.ts',
  'test/faults/localRun.test.ts',
  'test/faults/secretRotation.test.ts',
  'services/quiz/test/questionInterleavings.property.test.ts',
  'services/courses/test/mail.delivery.test.ts',
  'services/quiz/test/questionRubricOfMany.test.ts',
  'test/blackbox/security.test.ts',
  'test/blackbox/clients/cliFiles.test.ts',
];

/**
 * The order of test files. A long file that starts last runs alone, while all other processors are idle: with
 * `--sequence.shuffle` the longest files are first, and the others of each project in an order that depends only on the seed. A
 * worker is shared only by successive files of one project. Without the option vitest remembers how long each file took.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    if (!sequence.shuffle) return super.sort(files);
    const pathOf = ({ moduleId }: TestSpecification) => moduleId.slice(root.length + 1);
    const placeOf = (file: TestSpecification) => {
      const place = longest.indexOf(pathOf(file));
      return place === -1 ? longest.length : place;
    };
    const hashOf = (file: TestSpecification) =>
      createHash('sha1')
        .update(`${sequence.seed} ${pathOf(file)}`)
        .digest('hex');
    return files.toSorted(
      (one, other) =>
        placeOf(one) - placeOf(other) ||
        one.project.name.localeCompare(other.project.name) ||
        hashOf(one).localeCompare(hashOf(other)),
    );
  }
}
