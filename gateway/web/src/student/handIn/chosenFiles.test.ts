import { expect, test } from 'vitest';
import { chosenFiles } from './chosenFiles.ts';

const file = (name: string, type = '', size = 10) => ({ name, type, size });
const pdf = file('answers.pdf', 'application/pdf');
const photo = file('IMG_1.HEIC', '');

test('PDFs and photos are distinguished by type or name', () => {
  expect(chosenFiles([pdf], 1).are).toBe('pdfs');
  expect(chosenFiles([file('ANSWERS.PDF')], 1).are).toBe('pdfs');
  expect(chosenFiles([photo, file('2.jpg', 'image/jpeg')], 1).are).toBe('photos');
});

test('an answer sheet is one PDF; homework can be ten', () => {
  expect(chosenFiles([pdf, pdf], 1)).toEqual({ are: 'wrong', because: 'Choose one PDF.' });
  expect(chosenFiles(Array(10).fill(pdf), 10).are).toBe('pdfs');
  expect(chosenFiles(Array(11).fill(pdf), 10).are).toBe('wrong');
});

test('mixed, unsupported and empty files are rejected with the reason', () => {
  expect(chosenFiles([pdf, photo], 10)).toEqual({
    are: 'wrong',
    because: 'Choose a PDF or photos, not both.',
  });
  expect(chosenFiles([file('essay.docx')], 10)).toEqual({
    are: 'wrong',
    because: 'Choose a PDF or photos.',
  });
  expect(chosenFiles([file('a.pdf', 'application/pdf', 0)], 10)).toEqual({
    are: 'wrong',
    because: 'A file is empty.',
  });
});
