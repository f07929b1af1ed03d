import { type Crop, type Turn, turnCrop, turnFurther, uncropped } from './crop.ts';

/** A photo that becomes a page. */
export interface Photo {
  key: string;
  file: File;
  turn: Turn;
  crop: Crop;
  isGray: boolean;
}

export const newPhoto = (file: File, isGray: boolean): Photo => ({
  key: crypto.randomUUID(),
  file,
  turn: 0,
  crop: uncropped,
  isGray,
});

export const turnedPhoto = (photo: Photo): Photo => ({
  ...photo,
  turn: turnFurther(photo.turn),
  crop: turnCrop(photo.crop),
});

/** Returns the list with one photo moved. A position outside the list changes nothing. */
export function movedPhoto(photos: Photo[], from: number, to: number): Photo[] {
  const photo = photos[from];
  if (!photo || to < 0 || to >= photos.length || from === to) return photos;
  return photos.toSpliced(from, 1).toSpliced(to, 0, photo);
}

/** Sorts by name: cameras number their photos, so this is the order of the pages. Not all file pickers preserve it. */
export const inOrderOfNames = (files: File[]): File[] =>
  files.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
