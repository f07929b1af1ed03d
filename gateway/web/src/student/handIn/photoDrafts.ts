import { createStore, useStore } from '../../shared/state/createStore.ts';
import type { Photo } from '../photos/photoList.ts';

/** Photos that are being turned into pages: as chosen, and as edited. */
type PhotoDraft = { files: File[]; edited?: Photo[] };

const drafts = createStore<ReadonlyMap<string, PhotoDraft>>(new Map());

/**
 * Keeps the photos of an upload in this tab, so that they survive when the quiz moves on the page or the user opens
 * another page.
 */
export function keepPhotos(id: string, draft: PhotoDraft | undefined): void {
  const next = new Map(drafts.get());
  if (draft) next.set(id, draft);
  else next.delete(id);
  drafts.set(next);
}

export const usePhotoDraft = (id: string): PhotoDraft | undefined =>
  useStore(drafts, (current) => current.get(id));
