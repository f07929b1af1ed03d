import type { ErasePersonRequest } from '@gradeway/proto/personal';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Broker } from '@gradeway/shared/events/broker';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { eraseName, markErased } from '@gradeway/shared/personalData/erasedPeople';
import {
  eraseFromBroker,
  eraseFromOutbox,
  eraseFromWebhooks,
  sweepDeadLetters,
} from '@gradeway/shared/personalData/eraseEvents';
import { personalDataService } from '@gradeway/shared/personalData/personalDataService';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { endAllEnrollments } from '../domain/endEnrollment.ts';
import type { AccommodationRepository } from '../teaching/data/accommodationRepository.ts';
import type { CommentRepository } from '../teaching/data/commentRepository.ts';
import type { InstructorRepository } from '../teaching/data/instructorRepository.ts';
import { endTeachingForGood } from '../teaching/domain/removeInstructor.ts';
import { personalRecords } from './data/personalRecords.ts';
import { eraseFromImports, eraseRecords } from './data/personEraser.ts';

interface Dependencies {
  sequelize: Sequelize;
  broker: Broker;
  outbox: Outbox;
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  instructors: InstructorRepository;
  accommodations: AccommodationRepository;
  comments: CommentRepository;
}

/** Lets auth export and erase the personal data that courses stores. */
export function openPersonalData(
  { log, onStop }: Pick<ProcessContext<unknown>, 'log' | 'onStop'>,
  dependencies: Dependencies,
) {
  const { sequelize, broker } = dependencies;
  const deadLetters = {
    sequelize,
    broker,
    consumers: ['courses', 'courses-webhooks', 'courses-mail'] as const,
  };
  onStop('the sweep of dead letters', sweepDeadLetters({ ...deadLetters, log }));

  async function* erase(person: ErasePersonRequest): AsyncGenerator<void> {
    const { userId } = person;
    await markErased(sequelize, userId, person.keepGrades);
    await inTransaction(sequelize, async (transaction) => {
      // Erasing the name first locks the person: from then on, they can neither enroll nor be assigned
      // (domain/enroll.ts).
      await eraseName(sequelize, userId, transaction);
      await endAllEnrollments(dependencies, userId, transaction);
      await endTeachingForGood(dependencies, userId, transaction);
      await dependencies.accommodations.deleteAll(userId, transaction);
      await dependencies.comments.deleteAll(userId, transaction);
      await eraseRecords(sequelize, person, transaction);
    });
    yield;
    await eraseFromImports(sequelize, person);
    yield;
    yield* eraseFromOutbox(sequelize, userId);
    yield* eraseFromWebhooks(sequelize, userId);
    yield* eraseFromBroker(deadLetters, person.email);
  }

  return personalDataService({ records: (userId) => personalRecords(sequelize, userId), erase });
}
