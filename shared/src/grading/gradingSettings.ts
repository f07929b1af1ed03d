import { duration } from '../config/settingKinds.ts';

/** Settings of a service whose submissions are graded by a team. */
export const gradingSettings = {
  claimTtl: duration('CLAIM_TTL', {
    default: '2m',
    about: 'How long a claim of a submission lasts unless it is renewed, released or ended by a grading',
  }),
};
