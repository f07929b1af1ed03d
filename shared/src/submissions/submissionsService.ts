import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { FileLibrary } from '../files/fileLibrary.ts';
import type { Rpcs } from '../grpc/server.ts';
import { type SubmittedFile, streamSubmissions } from './streamSubmissions.ts';

interface Service {
  definition: ServiceDefinition;
  rpcs: Rpcs<SubmissionsServiceHandlers>;
}

/**
 * Implements the gRPC SubmissionsService (proto/gradeway/submissions/v1).
 * @param submittedFiles lists the files of a course, those of one submission in succession; it must not load all of
 *   them into memory
 */
export const submissionsService = (
  library: FileLibrary,
  submittedFiles: (courseId: number) => AsyncIterable<SubmittedFile>,
): Service => ({
  definition: SubmissionsService.service,
  rpcs: {
    ExportSubmissions: ({ courseId }, signal) => streamSubmissions(library, submittedFiles(courseId), signal),
  },
});
