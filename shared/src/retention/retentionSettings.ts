import { duration } from '../config/settingKinds.ts';

/** How long a service with submissions keeps their files. */
export const retentionSettings = {
  retentionReplacedFiles: duration('RETENTION_REPLACED_FILES', {
    default: '0d',
    about: 'How long a file is kept after a later upload replaced it; `0d` means forever',
  }),
  retentionFinishedCourses: duration('RETENTION_FINISHED_COURSES', {
    default: '0d',
    about:
      'How long the files of submissions are kept after their course was deleted; `0d` means forever. Grades stay',
  }),
};
