import type { SubmissionsClient } from './clients/submissionsClient.ts';

export interface ExportDependencies {
  submissions: SubmissionsClient;
}
