/** The sections of the console. `english` is the name, `about` describes what the section is for. */
export const sections = [
  {
    to: '/console/courses',
    english: 'Courses',
    about: 'Courses with their quizzes, classes, students and instructors',
  },
  { to: '/console/users', english: 'Users', about: 'Accounts of students, instructors and administrators' },
  { to: '/console/import', english: 'Import', about: 'A school from a OneRoster archive' },
  { to: '/console/devices', english: 'Devices', about: 'The devices people log in with' },
  { to: '/console/webhooks', english: 'Webhooks', about: 'Programs that are notified of changes' },
  {
    to: '/console/service-accounts',
    english: 'Service accounts',
    about: 'Programs that use the API, and their tokens',
  },
  { to: '/console/providers', english: 'Single sign-on', about: 'Where people sign in with another account' },
  { to: '/console/audit', english: 'Audit log', about: 'Who did what and when' },
  { to: '/console/gradebook', english: 'Gradebook', about: 'All grades of a course' },
] as const;
