import { useEffect, useRef, useState } from 'react';
import { remaining, type Turn } from './crop.ts';
import { pageParts } from './pageParts.ts';
import type { Photo } from './photoList.ts';
import type { PhotoProcessor } from './photoProcessor.ts';

export type PhotoPreview = { url: string; width: number; height: number; turn: Turn } | 'unreadable';

/** Returns thumbnails of the rotated photos. The photos themselves are too large to be displayed all at once. */
export function usePreviews(
  processor: PhotoProcessor | undefined,
  photos: Photo[],
): Map<string, PhotoPreview> {
  const [previews, setPreviews] = useState(() => new Map<string, PhotoPreview>());
  const asked = useRef(new Map<string, Turn>());
  const urls = useRef(new Set<string>());

  useEffect(() => {
    const [turns, known] = [asked.current, urls.current];
    return () => {
      // The next processor must create all thumbnails again.
      turns.clear();
      for (const url of known) URL.revokeObjectURL(url);
      known.clear();
    };
  }, []);

  useEffect(() => {
    if (!processor) return;
    for (const { key, file, turn } of photos) {
      if (asked.current.get(key) === turn) continue;
      asked.current.set(key, turn);
      processor.preview(file, turn).then(
        ({ picture, width, height }) => {
          // The photo has been rotated again since.
          if (asked.current.get(key) !== turn) return;
          const url = URL.createObjectURL(picture);
          urls.current.add(url);
          setPreviews((before) => {
            const old = before.get(key);
            if (old && old !== 'unreadable') {
              URL.revokeObjectURL(old.url);
              urls.current.delete(old.url);
            }
            return new Map(before).set(key, { url, width, height, turn });
          });
        },
        () => setPreviews((before) => new Map(before).set(key, 'unreadable')),
      );
    }
  }, [processor, photos]);

  return previews;
}

/** Returns the number of pages that a photo becomes. */
export function pagesOf({ crop }: Photo, preview: PhotoPreview | undefined): number {
  if (!preview || preview === 'unreadable') return 1;
  return pageParts(remaining(crop, preview.width, preview.height)).length;
}
