import { zipArchive } from './zipArchive.ts';

/** Returns the chosen archive, or packs the chosen CSV files into one. */
export async function packArchive(files: File[]): Promise<Blob> {
  const [first] = files;
  if (files.length === 1 && first && !first.name.toLowerCase().endsWith('.csv')) return first;
  return zipArchive(
    await Promise.all(
      files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
    ),
  );
}
