import { submissionSettings } from '@gradeway/shared/submissions/submissionSettings';

/** Every variable that this service reads. No other file reads the environment. */
export const settings = submissionSettings;
