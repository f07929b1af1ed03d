import { invalid } from '@gradeway/shared/errors/appError';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function parseImportId(text: string): string {
  if (!uuid.test(text)) throw invalid({ import_id: ['The import id must be a UUID.'] });
  return text;
}
