import { unfinishedUpload, unreadableFile } from './uploadFailures.ts';

/** Explains a rejected upload and what to do about it, as English texts. */
export interface Explanation {
  title: string;
  advice: string;
}

const explanations: Record<string, Explanation> = {
  QuizDurationExpired: {
    title: 'The time for this quiz is over',
    advice: 'The file was not accepted. Keep it, and speak to your teacher.',
  },
  HomeworkDeadlineExpired: {
    title: 'The deadline has passed',
    advice: 'The file was not accepted. Keep it, and speak to your teacher.',
  },
  PayFirstToAccessTheCourse: {
    title: 'The course has not been paid for',
    advice: 'Ask your school office, then hand it in again.',
  },
  'Submission already graded': {
    title: 'This has already been graded',
    advice: 'You can no longer replace it.',
  },
  'Payload Too Large': {
    title: 'The file is too large',
    advice: 'Choose a smaller file, or fewer photos.',
  },
  'The file must be a valid PDF.': {
    title: 'This is not a PDF that can be read',
    advice: 'Save it as a PDF again, or take photos of the pages.',
  },
  'The file must not be password protected.': {
    title: 'The PDF is protected by a password',
    advice: 'Save it without a password, then choose it again.',
  },
  [unreadableFile]: {
    title: 'The file cannot be read',
    advice: 'The file was moved or changed. Choose it again.',
  },
  [unfinishedUpload]: {
    title: 'An upload was not finished',
    advice: 'The upload was started more than a day ago. Choose the file again.',
  },
};

const notOpen: Explanation = {
  title: 'This quiz is not open yet',
  advice: 'The file was not accepted. Keep it, and hand it in when the quiz is open.',
};

/**
 * Returns the explanation of an error. Unknown errors are shown as the service words them. The API returns the same
 * message for a quiz that has closed and one that opens later (D26).
 */
export function explainUploadError(message: string, isUpcoming: boolean): Explanation {
  if (message === 'QuizDurationExpired' && isUpcoming) return notOpen;
  return (
    explanations[message] ?? {
      title: message,
      advice: 'Choose the file again. If it is refused again, speak to your teacher.',
    }
  );
}
