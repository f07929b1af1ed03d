import { type FieldErrors, invalid } from '../errors/appError.ts';
import type { ItemSettings } from './item.ts';

type Settings = Pick<ItemSettings, 'opensAt' | 'closesAt' | 'late' | 'release' | 'releaseAt' | 'anonymous'>;

const minuteMs = 60_000;

/** @throws AppError `invalid` when settings contradict each other, with a message for the later one */
export function requireConsistent({
  opensAt,
  closesAt,
  late,
  release,
  releaseAt,
  anonymous,
}: Settings): void {
  const errors: FieldErrors = {};
  if (opensAt && closesAt && closesAt <= opensAt)
    errors.closes_at = ['The closing time must be after the opening time.'];
  if (late && !closesAt) errors.late = ['Late work needs a closing time.'];
  if (late && closesAt && Date.parse(late.until) <= closesAt.getTime() + late.graceMinutes * minuteMs)
    errors.late = ['Late work must be accepted for longer than the closing time and the grace period.'];
  if (release === 'immediate' && releaseAt) errors.release_at = ['Only a manual release can have a time.'];
  if (release === 'immediate' && anonymous) errors.anonymous = ['Anonymous grading needs a manual release.'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
