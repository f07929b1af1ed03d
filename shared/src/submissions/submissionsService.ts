import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import type { FileLibrary } from '../files/fileLibrary.ts';
import type { GrpcService } from '../grpc/server.ts';
import { type SubmittedFile, streamSubmissions } from './streamSubmissions.ts';

/**
 * Implements the gRPC SubmissionsService (proto/gradeway/submissions/v1).
 * @param submittedFiles lists the files of a course, those of one submission in succession; it must not load all of
 *   them into memory
 */
export const submissionsService = (
  library: FileLibrary,
  submittedFiles: (courseId: number) => AsyncIterable<SubmittedFile>,
): GrpcService<SubmissionsServiceHandlers> => ({
  definition: SubmissionsService.service,
  callers: { ExportSubmissions: ['courses'] },
  rpcs: {
    ExportSubmissions: ({ courseId }, signal) => streamSubmissions(library, submittedFiles(courseId), signal),
  },
});
