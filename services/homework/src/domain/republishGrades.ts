import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';

interface Dependencies {
  sequelize: Sequelize;
  submissions: SubmissionRepository;
  outbox: Outbox;
}

const batchSize = 500;

/** Puts the present grade of every graded submission into the outbox once more. Returns how many. */
export async function republishGrades({ sequelize, submissions, outbox }: Dependencies): Promise<number> {
  let told = 0;
  for (let lastId = 0; ; ) {
    const batch = await submissions.gradedAfter(lastId, batchSize);
    const last = batch.at(-1);
    if (!last) return told;
    await sequelize.transaction(async (transaction) => {
      for (const { title, courseId, ...submission } of batch)
        await outbox.add(submissionGraded(submission, { title, courseId }), transaction);
    });
    told += batch.length;
    lastId = last.id;
  }
}
