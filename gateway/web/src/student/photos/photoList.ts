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

/** The list with one photo moved to another place; places outside change nothing. */
export function movedPhoto(photos: Photo[], from: number, to: number): Photo[] {
  const photo = photos[from];
  if (!photo || to < 0 || to >= photos.length || from === to) return photos;
  return photos.toSpliced(from, 1).toSpliced(to, 0, photo);
}

/** Cameras number their photos: the order of the names is that of the pages. Not all pickers keep it. */
export const inOrderOfNames = (files: File[]): File[] =>
  files.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
