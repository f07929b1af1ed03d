import { Fixtures } from '@gradeway/test/fixtures';
import { checkResponse } from '@gradeway/test/openApi';
import { expect, inject } from 'vitest';

const system = inject('system');

/** Where the system under test runs. */
export const { baseUrl } = system;

/**
 * Creates data in the system under test and calls it. Every answer, whatever a test asserts about it, must be one that
 * the OpenAPI document describes; a 500 never passes.
 */
export const {
  asAdmin,
  callAs,
  enroll,
  logIn,
  newAccount,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
  waitForGrades,
} = new Fixtures(system, {
  reauthenticates: !system.isLocal,
  headers: { accept: 'application/json' },
  check(method, { pathname }, answer) {
    // An ingress controller with nginx answers these itself.
    if (!system.isLocal && pathname.includes('%00') && answer.status === 400) return;
    checkResponse({ method, path: pathname, ...answer });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    // Clients count down by the server's clock.
    expect(Date.parse(answer.headers.get('date') ?? '')).not.toBeNaN();
  },
});
