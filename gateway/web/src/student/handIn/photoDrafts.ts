import { useSyncExternalStore } from 'react';
import type { Photo } from '../photos/photoList.ts';

/** Photos that are being turned into pages: as chosen, and as edited. */
type PhotoDraft = { files: File[]; edited?: Photo[] };

const drafts = new Map<string, PhotoDraft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps the photos of an upload in this tab, so that they survive when the quiz moves on the page or the user changes
 * pages.
 */
export function keepPhotos(id: string, draft: PhotoDraft | undefined): void {
  if (draft) drafts.set(id, draft);
  else drafts.delete(id);
  for (const listener of listeners) listener();
}

export const usePhotoDraft = (id: string): PhotoDraft | undefined =>
  useSyncExternalStore(subscribe, () => drafts.get(id));
