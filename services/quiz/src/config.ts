import { flag } from '@gradeway/shared/config/readConfig';
import { submissionSettings } from '@gradeway/shared/submissions/submissionSettings';

/** Every variable that this service reads. No other file reads the environment. */
export const settings = {
  ...submissionSettings,
  trustClientClock: flag('QUIZ_TRUST_CLIENT_CLOCK', {
    default: '1',
    about:
      'Whether the time of an attempt runs from the `start_at` that the student sends; with `0` it runs from when the question PDF was first opened',
  }),
};
