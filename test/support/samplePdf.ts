import { readFile } from 'node:fs/promises';

/** A file of `pdfs/`, named after its special property. */
export const samplePdf = (
  name: 'form_without_appearance' | 'hidden_layer' | 'owner_password' | 'portfolio' | 'sticky_note',
): Promise<Buffer> => readFile(new URL(`./pdfs/${name}.pdf`, import.meta.url));
