import type { Crop, Turn } from './crop.ts';

/** How a photo becomes a page. */
export interface PageSettings {
  turn: Turn;
  /** Relative to the rotated photo. */
  crop: Crop;
  isGray: boolean;
}

/**
 * The requests to the worker. `photo` adds one page, or several for a long screenshot, to the document that `begin`
 * creates and `finish` completes. `photos` is the number of photos that share the file's maximum size.
 */
export type PhotoTask =
  | { do: 'preview'; file: File; turn: Turn }
  | { do: 'begin' }
  | { do: 'photo'; file: File; settings: PageSettings; photos: number }
  | { do: 'finish'; title: string };

export interface Preview {
  picture: Blob;
  width: number;
  height: number;
}

export type PhotoResponse = { id: number; result: Preview | Blob | null } | { id: number; error: string };
