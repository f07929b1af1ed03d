import type { Row } from './gradingTypes.ts';

/** Explains the flags about the time of an answer sheet, in English. */
export const flagText: Record<Row['flags'][number]['code'], string> = {
  start_mismatch: 'The claimed start differs from the recorded start.',
  no_recorded_start: 'The start was not recorded.',
};
