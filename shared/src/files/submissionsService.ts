import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { Rpcs } from '../grpc/server.ts';
import type { FileLibrary } from './fileLibrary.ts';
import { type SubmittedFile, streamSubmissions } from './streamSubmissions.ts';

interface Service {
  definition: ServiceDefinition;
  rpcs: Rpcs<SubmissionsServiceHandlers>;
}

/**
 * The SubmissionsService of proto/gradeway/submissions/v1, for a service that keeps submissions in a library of files.
 * `submittedFiles` lists those of a course, the files of one submission after each other, without holding all of them.
 */
export const submissionsService = (
  library: FileLibrary,
  submittedFiles: (courseId: number) => AsyncIterable<SubmittedFile>,
): Service => ({
  definition: SubmissionsService.service,
  rpcs: {
    ExportSubmissions: ({ courseId }, gone) => streamSubmissions(library, submittedFiles(courseId), gone),
  },
});
