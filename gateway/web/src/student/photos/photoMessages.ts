import type { Crop, Turn } from './crop.ts';

/** How a photo becomes a page. */
export interface PageSettings {
  turn: Turn;
  /** Of the photo as it is turned. */
  crop: Crop;
  isGray: boolean;
}

/**
 * What the page asks the worker for. `photo` adds to the document that `begin` began and `finish` ends: one page, or several
 * for a long screenshot. `photos`: how many share the size of the file.
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

export type PhotoAnswer = { id: number; result: Preview | Blob | null } | { id: number; error: string };
