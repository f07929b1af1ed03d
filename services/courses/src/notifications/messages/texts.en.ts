import type { Texts } from './texts.ts';

export const english: Texts = {
  language: 'en',
  direction: 'ltr',
  notices: {
    'submission.received': {
      subject: 'Submission received',
      text: 'Your work for {work} in {course} was received.',
      action: 'See your submission',
    },
    'grades.released': {
      subject: 'Graded',
      text: 'Your work for {work} in {course} has been graded.',
      action: 'See your grade',
    },
    'work.published': {
      subject: 'New work',
      text: '{work} was published in {course}.',
      textWithTime: '{work} was published in {course}. It closes on {time}.',
      action: 'See your work',
    },
    'work.due': {
      subject: 'Closing soon',
      text: 'You have not handed in {work} in {course} yet.',
      textWithTime: 'You have not handed in {work} in {course} yet. It closes on {time}.',
      action: 'Hand in your work',
    },
    'review.answered': {
      subject: 'Review answered',
      text: 'The review that you asked for, of {work} in {course}, has been answered.',
      action: 'See the answer',
    },
    'review.opened': {
      subject: 'Review requested',
      text: 'A student asks for a review of the grading of {work} in {course}.',
      action: 'See the reviews',
    },
    'grading.finished': {
      subject: 'Grading finished',
      text: 'Every submission of {work} in {course} has been graded.',
      action: 'See the submissions',
    },
  },
  digest: {
    subject: 'Your day on Gradeway',
    text: 'This is what is new in your courses.',
    more: 'And {count} more.',
  },
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  reason: 'Gradeway sent this message because of your notification settings.',
  settings: 'Change your notifications',
  unsubscribe: 'Unsubscribe from messages like this',
  unsubscribeFromDigest: 'Unsubscribe from the digest',
  page: {
    title: 'Unsubscribe',
    question: {
      'submission.received': 'Do you no longer want messages when your submissions are received?',
      'grades.released': 'Do you no longer want messages when your work has been graded?',
      'work.published': 'Do you no longer want messages about new work?',
      'work.due': 'Do you no longer want reminders of work that closes soon?',
      'review.answered': 'Do you no longer want messages when your reviews are answered?',
      'review.opened': 'Do you no longer want messages when students ask for reviews?',
      'grading.finished': 'Do you no longer want messages when the grading of an item is finished?',
      digest: 'Do you no longer want the daily digest?',
    },
    button: 'Unsubscribe',
    done: 'You will not receive these messages any more.',
    undo: 'Your account page has all settings for notifications.',
  },
};
