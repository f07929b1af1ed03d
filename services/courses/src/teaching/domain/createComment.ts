import { inTransaction } from '@gradeway/shared/database/connection';
import { findErased, personErased } from '@gradeway/shared/personalData/erasedPeople';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import type { Comment, CommentProperties } from './comment.ts';
import type { CourseRoleDependencies } from './courseRole.ts';
import type { Grader } from './grader.ts';
import { requireCommentCourse } from './requireCommentCourse.ts';

type Dependencies = CourseRoleDependencies &
  Pick<TeachingDependencies, 'comments'> &
  Pick<ServiceDependencies, 'sequelize'>;

/** Adds a comment to a grader's bank, unless the grader has been erased in the meantime. */
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
