import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { session } from '../../shared/session/currentSession.ts';
import { needsReauthentication, reauthenticate } from '../../shared/session/reauthentication.ts';
import type { ImportPlan } from './importTypes.ts';

interface DryRun {
  id: string;
  isPaid: boolean;
  onProgress(sent: number, total: number): void;
}

/**
 * Uploads an archive and returns the changes it would make. Uses `XMLHttpRequest` because `fetch` does not report
 * upload progress, so this repeats what `api` does for other requests.
 */
export async function previewArchive(archive: Blob, dryRun: DryRun): Promise<ImportPlan> {
  try {
    return await sendAuthorized(archive, dryRun);
  } catch (error) {
    if (!(error instanceof ApiError) || !needsReauthentication(error.status, error.message)) throw error;
    // Resets the progress: the service has not read any of the repeated upload.
    dryRun.onProgress(0, 0);
    await reauthenticate();
    return sendAuthorized(archive, dryRun);
  }
}

async function sendAuthorized(archive: Blob, dryRun: DryRun): Promise<ImportPlan> {
  const token = await session.token();
  try {
    return await sendArchive(archive, dryRun, token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return sendArchive(archive, dryRun, await session.renew(token));
  }
}

function sendArchive(archive: Blob, { id, isPaid, onProgress }: DryRun, token: string): Promise<ImportPlan> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v3/admin/import?dry_run=1&id=${id}&paid=${isPaid ? 1 : 0}`);
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', 'application/zip');
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const { status, statusText, response } = request;
      if (status === 200) resolve((response as { data: ImportPlan }).data);
      else reject(new ApiError(status, response?.message ?? statusText, { fields: response?.errors }));
    };
    request.onerror = () => reject(new TypeError('The connection was lost'));
    request.send(archive);
  });
}

/** Commits the plan that was previewed with this token. Idempotent. */
export async function commitPlan(token: string): Promise<ImportPlan> {
  return (await responseOf(api.POST('/api/v3/admin/import', { body: { token } }))).body.data;
}

const pollEvery = 700;

/** The progress of an import, polled while the page is open. */
export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['console', 'import', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return (await responseOf(api.GET('/api/v3/admin/import/{id}', { params, signal }))).body.data;
    },
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollEvery),
    staleTime: 0,
    // The import does not exist until the archive has been uploaded.
    retry: false,
  });
