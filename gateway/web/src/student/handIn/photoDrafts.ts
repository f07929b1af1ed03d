import { useSyncExternalStore } from 'react';
import type { Photo } from '../photos/photoList.ts';

/** Photos that are being made pages: as they were chosen, then as they were edited. */
type PhotoDraft = { files: File[]; edited?: Photo[] };

const drafts = new Map<string, PhotoDraft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the photos of an upload in this tab, wherever on the page, or on which page, its quiz is shown. */
export function keepPhotos(id: string, draft: PhotoDraft | undefined): void {
  if (draft) drafts.set(id, draft);
  else drafts.delete(id);
  for (const listener of listeners) listener();
}

export const usePhotoDraft = (id: string): PhotoDraft | undefined =>
  useSyncExternalStore(subscribe, () => drafts.get(id));
