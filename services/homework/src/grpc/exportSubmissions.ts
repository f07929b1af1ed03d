import type { SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import { streamSubmissions } from '@gradeway/shared/files/streamSubmissions';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import type { Sequelize } from 'sequelize';
import { submittedFiles } from '../data/submittedFiles.ts';

export interface ExportParts {
  sequelize: Sequelize;
  files: FileLibrary;
}

/** Every present file that was handed in in a course, for its archive. */
export const exportSubmissions =
  ({ sequelize, files }: ExportParts): Rpcs<SubmissionsServiceHandlers>['ExportSubmissions'] =>
  ({ courseId }, gone) =>
    streamSubmissions(files, submittedFiles(sequelize, courseId), gone);
