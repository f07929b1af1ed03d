import { useEffect } from 'react';
import { queryClient } from '../../shared/api/queryClient.ts';
import { useLeaveWarning } from '../../shared/layout/useLeaveWarning.ts';
import { session } from '../../shared/session/currentSession.ts';
import { useStore } from '../../shared/state/createStore.ts';
import { loadSendForm } from './loadSendForm.ts';
import type { SendForm } from './sendForm.ts';
import { uploadStore } from './uploadStore.ts';
import { Uploads } from './uploads.ts';
import { isUnderWay, type UploadState } from './uploadTypes.ts';

/** Browsers compute hashes only on pages loaded over TLS or from localhost. */
async function hash(blob: Blob): Promise<string> {
  const bytes = await blob.arrayBuffer();
  if (!crypto.subtle) return '';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

// If the code cannot be loaded, the connection is lost too: the attempt counts as one without a response, and is
// repeated.
const send: SendForm = (...attempt) =>
  loadSendForm().then(
    ({ sendForm }) => sendForm(...attempt),
    () => undefined,
  );

/** The uploads of this tab. */
export const uploads = new Uploads({
  store: uploadStore,
  send,
  token: () => session.token(),
  renewToken: (refused) => session.renew(refused),
  exclusively: (name, signal, work) => navigator.locks.request(name, { signal }, work),
  wait,
  hash,
  steadyNow: () => performance.now(),
  now: () => Date.now(),
  onEnd: () => void queryClient.invalidateQueries({ queryKey: ['my'] }),
});

session.store.subscribe(() => {
  if (session.state().status === 'out') uploads.stop();
});

export const useUpload = (id: string): UploadState | undefined =>
  useStore(uploads.states, (states) => states.get(id));

const useIsUploading = (): boolean =>
  useStore(uploads.states, (states) => [...states.values()].some(isUnderWay));

/** Resumes a user's unfinished uploads, and asks for confirmation before the page is closed while one is running. */
export function useUploadsOf(personId: number): void {
  useLeaveWarning(useIsUploading());
  useEffect(() => {
    // Without IndexedDB there is nothing to resume.
    if (personId !== 0) void uploads.resume(personId).catch(() => {});
  }, [personId]);
}
