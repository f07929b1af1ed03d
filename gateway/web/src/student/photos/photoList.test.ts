import { expect, test } from 'vitest';
import { inOrderOfNames, movedPhoto, newPhoto, turnedPhoto } from './photoList.ts';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const photos = ['1.jpg', '2.jpg', '3.jpg'].map((name) => newPhoto(file(name), false));
const names = (list: typeof photos) => list.map((photo) => photo.file.name);

test('photos start in the order of their numbers', () => {
  expect(inOrderOfNames(['IMG_10.jpg', 'IMG_9.jpg', 'IMG_1.jpg'].map(file)).map(({ name }) => name)).toEqual([
    'IMG_1.jpg',
    'IMG_9.jpg',
    'IMG_10.jpg',
  ]);
});

test('a photo moves to another position, but never out of the list', () => {
  expect(names(movedPhoto(photos, 2, 0))).toEqual(['3.jpg', '1.jpg', '2.jpg']);
  expect(movedPhoto(photos, 0, -1)).toBe(photos);
  expect(movedPhoto(photos, 2, 3)).toBe(photos);
});

test('rotating a photo rotates its crop', () => {
  const [first] = photos;
  const turned = first && turnedPhoto({ ...first, crop: { ...first.crop, top: 0.2 } });
  expect(turned).toMatchObject({ turn: 90, crop: { right: 0.2, top: 0 } });
});
