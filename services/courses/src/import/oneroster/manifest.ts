import { invalid } from '@gradeway/shared/errors/appError';
import { type Archive, fileNames } from './archive.ts';
import { readRecords } from './csvRecords.ts';

const name = 'manifest.csv';

/**
 * Holds the archive against its manifest, where it has one: OneRoster 1.1, and every file that it announces.
 * @throws AppError `invalid` naming manifest.csv
 */
export async function checkManifest(archive: Archive): Promise<void> {
  if (!archive.has('manifest')) return;
  for await (const { line, cells } of readRecords(await archive.open('manifest'), name, [
    'propertyName',
    'value',
  ])) {
    const property = cells.propertyName?.trim();
    const value = cells.value?.trim().toLowerCase() ?? '';
    if (property === 'oneroster.version' && value !== '1.1')
      throw invalid({ [`${name}:${line}`]: ['The oneroster.version must be 1.1.'] });
    const announced = fileNames.find((file) => property === `file.${file}`);
    if (!announced) continue;
    if (!['absent', 'bulk', 'delta'].includes(value))
      throw invalid({
        [`${name}:${line}`]: [`The value of file.${announced} must be absent, bulk or delta.`],
      });
    if (value !== 'absent' && !archive.has(announced))
      throw invalid({ [`${name}:${line}`]: [`The archive lacks ${announced}.csv.`] });
  }
}
