import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import { type ExportParts, exportSubmissions } from './exportSubmissions.ts';

/** The service's gRPC interface: what the other services may ask. */
export const submissionsService = (parts: ExportParts) => ({
  definition: SubmissionsService.service,
  rpcs: { ExportSubmissions: exportSubmissions(parts) } satisfies Rpcs<SubmissionsServiceHandlers>,
});
