import { useTranslation } from '../../shared/language/useTranslation.ts';

/** Formats file sizes. */
export function useFileSize(): (bytes: number) => string {
  const { formatNumber } = useTranslation();
  return (bytes) => {
    const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
    return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 });
  };
}
