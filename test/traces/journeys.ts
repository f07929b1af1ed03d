import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import { type HttpClient, pdf } from '@gradeway/test/httpClient';
import type { LocalSystem } from '@gradeway/test/localSystem';

/** Personal data and content that no span may contain. */
export const personal = {
  email: 'ada.traced@test.example',
  password: 'the password of the traced',
  firstName: 'Adatraced',
  lastName: 'Lovelacetraced',
  title: 'Titletraced',
  comment: 'Commenttraced',
  fileName: 'filetraced.pdf',
};

/** The trace id of the headers that every request of these tests sends, and that no trace may continue. */
export const forgedTrace = 'feedfeedfeedfeedfeedfeedfeedfeed';
const forgedHeaders = {
  traceparent: `00-${forgedTrace}-feedfeedfeedfeed-01`,
  tracestate: 'forged=1',
  baggage: 'forged=baggagetraced',
};

export const tracedFixtures = (system: LocalSystem): Fixtures =>
  new Fixtures(system, { headers: forgedHeaders });

/** A course, a class with an assignment, a quiz and an enrolled student, all with the personal data above. */
export async function newPersonalScene(fixtures: Fixtures): Promise<Scene> {
  const { email, password, firstName: first_name, lastName: last_name, title } = personal;
  const student = await fixtures.newStudent({ first_name, last_name, email, password });
  const courseId = await fixtures.newCourse(title);
  const classId = await fixtures.newClass(courseId, title);
  const file = await pdf(personal.fileName);
  const quizId = await fixtures.newQuiz(courseId, { title, file });
  await fixtures.newAssignment(classId, { file });
  await fixtures.enroll(courseId, student);
  return { courseId, classId, quizId, student };
}

export type Journeys = Awaited<ReturnType<typeof runJourneys>>;

/** Runs every journey of the specification once. Returns the response to the request that started each. */
export async function runJourneys(fixtures: Fixtures, scene: Scene) {
  const { student, courseId, classId, quizId } = scene;
  const admin = await fixtures.asAdmin();
  const file = await pdf(personal.fileName);
  const login = await fixtures.logIn(personal.email, personal.password);
  const browser = await useBrowserSession(fixtures);
  const quizUpload = await fixtures.submitQuiz(scene, { file });
  const quizzes = await admin.get('/api/v3/quiz/pdf-quizzes');
  const [sheet] = await fixtures.quizSubmissions(quizId);
  const grade = { grade: 7, total_grade: 10 };
  const quizGrading = await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, grade);
  const rubricChange = await changeRubric(admin, quizId, sheet.id);
  const homeworkUpload = await fixtures.submitHomework(scene, [file]);
  const homeworks = await admin.get('/api/v3/admin/homeworks');
  const [homework] = (await admin.get(`/api/v3/admin/homeworks/${classId}`)).body.submissions;
  const rating = { rating: 9, comment: personal.comment };
  const homeworkGrading = await admin.post(`/api/v3/admin/homeworks/grade/${homework.id}`, rating);
  const search = `students?search=${personal.lastName}`;
  const gradingCourses = await admin.get('/api/v3/grading/courses');
  await admin.post('/api/v3/grading/comments', { text: personal.comment, course_id: courseId });
  const students = await admin.get(`/api/v3/admin/courses/${courseId}/${search}`);
  const download = await fixtures.callAs().get(sheet.pdf_answer_url);
  const unknown = await admin.get(`/api/v3/${personal.email}`);
  await fixtures.waitForGrades(student, 2);
  return {
    login,
    ...browser,
    quizUpload,
    quizGrading,
    quizzes,
    rubricChange,
    homeworkUpload,
    homeworkGrading,
    homeworks,
    students,
    gradingCourses,
    download,
    unknown,
  };
}

/** Logs in, refreshes and logs out like a browser that has lost the response to its refresh request. */
async function useBrowserSession(fixtures: Fixtures) {
  const { email, password } = personal;
  const client = fixtures.callAs();
  const headers = { 'x-requested-with': 'gradeway' };
  const browserLogin = await client.post('/session', { email, password }, headers);
  const [cookie = ''] = browserLogin.headers.getSetCookie();
  const withCookie = { ...headers, cookie: cookie.split(';')[0] ?? '' };
  const browserRefresh = await client.post('/session/refresh', undefined, withCookie);
  const browserLogout = await client.delete('/session', withCookie);
  return { browserLogin, browserRefresh, browserLogout };
}

/** Grades a submission with a rubric, and returns the response to a change to the rubric that regrades it. */
async function changeRubric(admin: HttpClient, quizId: number, submissionId: number) {
  const path = `/api/v3/grading/quizzes/${quizId}/rubric`;
  const body = { mode: 'add', max_points: 10, items: [{ points: 6, text: personal.comment }] };
  const rubric = await admin.put(path, body, { 'if-none-match': '*' });
  const { items, revision } = rubric.body.data;
  const selection = items.map(({ id }: { id: number }) => id);
  const grading = { selection, rubric_revision: revision, comment: personal.comment };
  await admin.put(`/api/v3/grading/quizzes/submissions/${submissionId}`, grading, { 'if-match': '*' });
  return admin.put(path, { ...body, items: [{ ...items[0], points: 7 }] }, { 'if-match': '*' });
}
