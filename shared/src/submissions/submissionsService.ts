import {
  type SubmissionCount,
  SubmissionsService,
  type SubmissionsServiceHandlers,
} from '@gradeway/proto/submissions';
import { AppError } from '../errors/appError.ts';
import type { FileLibrary } from '../files/fileLibrary.ts';
import type { FindRubric } from '../grading/sharedRubric.ts';
import type { GrpcService } from '../grpc/server.ts';
import type { RenderCopy } from './annotatedCopies.ts';
import { toRubricMessage } from './rubricMessages.ts';
import { type SubmittedFile, streamSubmissions } from './streamSubmissions.ts';

const maxCounted = 1_000;

interface Submissions {
  /**
   * Lists the files of a course, with the files of each submission next to each other; it must not load all of them
   * into memory.
   */
  files(courseId: number): AsyncIterable<SubmittedFile>;
  /** Counts the submissions for the quizzes or assignments of these courses that graders see. */
  counts(courseIds: number[]): Promise<SubmissionCount[]>;
  renderCopy: RenderCopy;
  findRubric: FindRubric;
}

/** Implements the gRPC SubmissionsService (proto/gradeway/submissions/v1). */
export const submissionsService = (
  library: FileLibrary,
  submissions: Submissions,
): GrpcService<SubmissionsServiceHandlers> => ({
  definition: SubmissionsService.service,
  callers: { ExportSubmissions: ['courses'], CountSubmissions: ['courses'], GetRubric: ['homework', 'quiz'] },
  rpcs: {
    ExportSubmissions: ({ courseId, annotated }, signal) =>
      streamSubmissions(
        library,
        submissions.files(courseId),
        signal,
        annotated ? submissions.renderCopy : undefined,
      ),
    async CountSubmissions({ courseIds }) {
      if (courseIds.length > maxCounted)
        throw new AppError('invalid', `At most ${maxCounted} course ids at once`);
      return { counts: await submissions.counts(courseIds) };
    },
    GetRubric: async ({ itemId, questionId }) =>
      toRubricMessage(await submissions.findRubric({ itemId, questionId: questionId ?? null })),
  },
});
