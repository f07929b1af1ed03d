import { invalid } from '@gradeway/shared/errors/appError';
import { type Archive, fileNames } from './archive.ts';
import { readCsvRecords } from './csvRecords.ts';

const name = 'manifest.csv';

/**
 * Checks the archive against its manifest, if it has one: version 1.1, with all declared files present.
 * @throws AppError `invalid` naming manifest.csv
 */
export async function checkManifest(archive: Archive): Promise<void> {
  if (!archive.has('manifest')) return;
  const stream = await archive.open('manifest');
  for await (const { line, cells } of readCsvRecords(stream, name, ['propertyName', 'value'])) {
    const property = cells.propertyName?.trim();
    const value = cells.value?.trim().toLowerCase() ?? '';
    const invalidLine = (message: string) => invalid({ [`${name}:${line}`]: [message] });
    if (property === 'oneroster.version' && value !== '1.1')
      throw invalidLine('The oneroster.version must be 1.1.');
    const file = fileNames.find((each) => property === `file.${each}`);
    if (!file) continue;
    if (!['absent', 'bulk', 'delta'].includes(value))
      throw invalidLine(`The value of file.${file} must be absent, bulk or delta.`);
    if (value !== 'absent' && !archive.has(file))
      throw invalidLine(`The archive does not contain ${file}.csv.`);
  }
}
