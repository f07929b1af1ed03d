interface GradingRequest {
  method: 'POST';
  path: string;
  token: string;
  body: string;
}

/** The path for grading a quiz submission. */
export const gradingPath = (submission: number): string => `/api/v3/quiz/pdf-quizzes/grade/${submission}`;

/** Gradings of half the submissions that alternate between two grades, so that each grading changes something. */
export const gradingRequests = (submissions: number, token: string): GradingRequest[] =>
  [7, 8].flatMap((grade) =>
    Array.from({ length: submissions / 2 }, (_, index) => ({
      method: 'POST',
      path: gradingPath(index + 1),
      token,
      body: JSON.stringify({ grade, total_grade: 10 }),
    })),
  );
