import type { SubmissionsClient } from './clients/submissionsClient.ts';

/** Dependencies of the export of submissions. */
export interface ExportDependencies {
  submissions: SubmissionsClient;
}
