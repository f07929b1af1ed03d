import { inTransaction } from '@gradeway/shared/database/connection';
import { findErased, personErased } from '@gradeway/shared/personalData/erasedPeople';
import type { Sequelize } from 'sequelize';
import type { CommentRepository } from '../data/commentRepository.ts';
import type { Comment, CommentProperties } from './comment.ts';
import type { Grader } from './grader.ts';
import type { MayGradeDependencies } from './mayGrade.ts';
import { requireCommentCourse } from './requireCommentCourse.ts';

interface Dependencies extends MayGradeDependencies {
  sequelize: Sequelize;
  comments: CommentRepository;
}

/** Adds a comment to the bank of a grader. A request that outlasts the erasure of the grader adds none. */
export async function createComment(
  dependencies: Dependencies,
  grader: Grader,
  properties: CommentProperties,
): Promise<Comment> {
  const { sequelize, comments } = dependencies;
  await requireCommentCourse(dependencies, grader, properties.courseId);
  return inTransaction(sequelize, async (transaction) => {
    if (await findErased(sequelize, grader.userId, transaction)) throw personErased();
    return comments.create(grader.userId, properties, transaction);
  });
}
