import type { Crop, Turn } from './crop.ts';

/** How a photo becomes a page. */
export interface PageSettings {
  turn: Turn;
  /** Of the photo as it is turned. */
  crop: Crop;
  isGray: boolean;
}

/** What the page asks the worker for. `page` adds to the document that `begin` began and `finish` ends. */
export type PhotoTask =
  | { do: 'preview'; file: File; turn: Turn }
  | { do: 'begin' }
  | { do: 'page'; file: File; settings: PageSettings; budget: number }
  | { do: 'finish'; title: string };

export interface Preview {
  picture: Blob;
  width: number;
  height: number;
}

export type PhotoAnswer = { id: number; result: Preview | Blob | null } | { id: number; error: string };
