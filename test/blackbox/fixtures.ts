import { Fixtures } from '@gradeway/test/fixtures';
import type { Answer } from '@gradeway/test/httpClient';
import { checkResponse } from '@gradeway/test/openApi';
import { expect, inject } from 'vitest';

const system = inject('system');

/** Where the system under test runs. */
export const { baseUrl } = system;

/**
 * Whether a proxy in front of the system under test refused a malformed path itself, as nginx does with `%00`. Every response of
 * Gradeway has a request id.
 */
export const isRefusedByProxy = ({ status, headers }: Answer): boolean =>
  !system.isLocal && status === 400 && !headers.has('x-request-id');

/**
 * Creates data in the system under test and calls it. Every response, whatever a test asserts about it, must be one that
 * the OpenAPI document describes; a 500 never passes.
 */
export const {
  asAdmin,
  assignInstructor,
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
  headers: { accept: 'application/json' },
  check(method, { pathname }, answer) {
    if (isRefusedByProxy(answer)) return;
    checkResponse({ method, path: pathname, ...answer });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.has('error-code')).toBe(answer.status >= 400);
    // Clients count down by the server's clock.
    expect(Date.parse(answer.headers.get('date') ?? '')).not.toBeNaN();
  },
});
