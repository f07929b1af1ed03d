import { now, unique } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { describe, expect, test } from 'vitest';
import { asAdmin, newScene, quizSubmissions, submitHomework, submitQuiz } from './fixtures.ts';

describe('uploads with an Idempotency-Key', () => {
  const sheet = async () => ({ file: await pdf(), duration: '30', start_at: now() });
  const upload = (
    scene: Awaited<ReturnType<typeof newScene>>,
    key: string,
    fields: Record<string, string | Blob>,
  ) => {
    const ids = { course_id: String(scene.courseId), quiz_id: String(scene.quizId) };
    return scene.student.post('/api/v3/quiz/submit-pdf', form({ ...ids, ...fields }), {
      'idempotency-key': key,
    });
  };

  test('a repeated upload takes effect once, and every receipt attests the same', async () => {
    const [scene, key, fields] = [await newScene(), unique(), await sheet()];
    const first = await upload(scene, key, fields);
    const [before] = await quizSubmissions(scene.quizId);
    const again = await upload(scene, key, fields);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect((await quizSubmissions(scene.quizId))[0].pdf_answer_url.split('?')[0]).toBe(
      before.pdf_answer_url.split('?')[0],
    );
    const attested = await Promise.all(
      [first, again].map(async ({ headers }) => {
        const receipt = headers.get('submission-receipt');
        const { issued_at: _, ...rest } = (await scene.student.post('/api/v3/receipts/verify', { receipt }))
          .body.data;
        return rest;
      }),
    );
    expect(attested[1]).toEqual(attested[0]);
  });

  test('simultaneous uploads with one Idempotency-Key take effect once', async () => {
    const [scene, key, fields] = [await newScene(), unique(), await sheet()];
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(scene, key, fields)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const receipts = new Set<string>();
    for (const { headers } of answers) {
      const receipt = headers.get('submission-receipt');
      receipts.add((await scene.student.post('/api/v3/receipts/verify', { receipt })).body.data.received_at);
    }
    expect(receipts.size).toBe(1);
  });

  test('the same Idempotency-Key with another body is 422 and changes nothing', async () => {
    const [scene, key, fields] = [await newScene(), unique(), await sheet()];
    await upload(scene, key, fields);
    const [before] = await quizSubmissions(scene.quizId);
    const { status, body } = await upload(scene, key, {
      ...fields,
      file: await pdf('other.pdf', { lines: ['x'] }),
    });
    expect([status, body.message, Object.keys(body.errors)]).toEqual([
      422,
      'Invalid Data',
      ['idempotency_key'],
    ]);
    expect((await quizSubmissions(scene.quizId))[0].id).toBe(before.id);
  });

  test('an upload that was refused can be repeated with the same key and succeed', async () => {
    const [scene, key, fields] = [await newScene(), unique(), await sheet()];
    const admin = await asAdmin();
    const enrollment = `/api/v3/admin/courses/${scene.courseId}/students/${scene.student.id}`;
    await admin.put(enrollment, { paid: false });
    expect((await upload(scene, key, fields)).status).toBe(403);
    await admin.put(enrollment, { paid: true });
    expect((await upload(scene, key, fields)).status).toBe(200);
  });

  test('the same Idempotency-Key from another student is a separate upload', async () => {
    const [one, two, key, fields] = [await newScene(), await newScene(), unique(), await sheet()];
    expect((await upload(one, key, fields)).status).toBe(200);
    expect((await upload(two, key, fields)).status).toBe(200);
    expect(await quizSubmissions(two.quizId)).toHaveLength(1);
  });

  test('a repeated homework upload takes effect once', async () => {
    const [scene, key, file] = [await newScene(), unique(), await pdf()];
    const path = `/api/v3/homeworks/${scene.classId}/submissions`;
    const headers = { 'idempotency-key': key };
    const first = await scene.student.post(path, form({ files: file }), headers);
    const again = await scene.student.post(path, form({ files: file }), headers);
    const { submitted_at, files } = first.body.data;
    expect(again.status).toBe(201);
    expect([again.body.data.submitted_at, again.body.data.files[0].id]).toEqual([submitted_at, files[0].id]);
  });

  test.each(['x'.repeat(256), 'with space'])('the invalid Idempotency-Key %j is 422', async (key) => {
    const scene = await newScene();
    const { status, body } = await upload(scene, key, await sheet());
    expect([status, Object.keys(body.errors)]).toEqual([422, ['idempotency_key']]);
    const headers = { 'idempotency-key': key };
    const grading = await (await asAdmin()).post('/api/v3/admin/homeworks/grade/1', { rating: 8 }, headers);
    expect([grading.status, grading.body.message]).toEqual([422, 'ValidationError']);
  });
});

describe('grading', () => {
  const quizScene = async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const [{ id }] = await quizSubmissions(scene.quizId);
    const path = `/api/v3/quiz/pdf-quizzes/grade/${id}`;
    return { ...scene, path, history: `${path}/history` };
  };

  test('a grading repeated with its Idempotency-Key takes effect once', async () => {
    const { path, history } = await quizScene();
    const admin = await asAdmin();
    const headers = { 'idempotency-key': unique() };
    for (let count = 0; count < 3; count += 1)
      expect((await admin.post(path, { grade: 4, total_grade: 5 }, headers)).status).toBe(200);
    expect((await admin.get(history)).body.meta.total).toBe(1);
    expect((await admin.post(path, { grade: 3, total_grade: 5 }, headers)).status).toBe(422);
  });

  test('a grading with If-Match is 412 with the current state after another grading', async () => {
    const { path, history, quizId } = await quizScene();
    const admin = await asAdmin();
    const seen = (await admin.get(history)).headers.get('etag') ?? '';
    const first = await admin.post(path, { grade: 4, total_grade: 5 }, { 'if-match': seen });
    expect(first.status).toBe(200);
    const stale = await admin.post(path, { grade: 1, total_grade: 5 }, { 'if-match': seen });
    const [current] = await quizSubmissions(quizId);
    expect([stale.status, stale.body]).toEqual([
      412,
      {
        message: 'Precondition Failed',
        errors: null,
        data: { ...current, pdf_answer_url: expect.any(String) },
      },
    ]);
    const fresh = first.headers.get('etag') ?? '';
    expect((await admin.post(path, { grade: 1, total_grade: 5 }, { 'if-match': fresh })).status).toBe(200);
    expect((await admin.post(path, { grade: 2, total_grade: 5 }, { 'if-match': '*' })).status).toBe(200);
    expect((await admin.post(path, { grade: 3, total_grade: 5 })).status).toBe(200);
  });

  test('a grading with If-Match is 412 after the student has uploaded another file', async () => {
    const { path, history, ...scene } = await quizScene();
    const admin = await asAdmin();
    const seen = (await admin.get(history)).headers.get('etag') ?? '';
    await submitQuiz(scene, { file: await pdf('second.pdf') });
    expect((await admin.post(path, { grade: 4, total_grade: 5 }, { 'if-match': seen })).status).toBe(412);
  });

  test('a homework grading with an outdated If-Match is 412', async () => {
    const scene = await newScene();
    const { id } = (await submitHomework(scene)).body.data;
    const admin = await asAdmin();
    const path = `/api/v3/admin/homeworks/grade/${id}`;
    const first = await admin.post(path, { rating: 5 });
    const tag = first.headers.get('etag') ?? '';
    await admin.post(path, { rating: 6 }, { 'if-match': tag });
    const stale = await admin.post(path, { rating: 7 }, { 'if-match': tag });
    expect([stale.status, stale.body.data.rating]).toEqual([412, 6]);
  });
});
