// Uses the client as an integrator does, in Node.js and in browsers. Returns the results for the test to judge.

async function idsOf(rows) {
  const ids = [];
  for await (const row of rows) ids.push(row.id ?? row.student.id);
  return ids;
}

/** What a call throws. */
async function failureOf(call) {
  try {
    await call;
    return 'nothing';
  } catch (error) {
    const { name, status, code, fields, requestId, message } = error;
    return { name, status, code, fields, requestId, message };
  }
}

/** Uploads an answer sheet. */
async function upload(client, { course_id, quiz_id }, file) {
  const progress = [];
  const answer = await client.submitAnswerSheet({
    body: { course_id, quiz_id, duration: 30, start_at: new Date().toISOString().slice(0, 19), file },
    onProgress: (each) => progress.push(each),
  });
  return { answer, progress };
}

export async function journey(
  { createClient, GradewayError, headersOf },
  { host, admin, student, scene, file },
) {
  const anonymous = createClient({ baseUrl: host });
  const tokenOf = async (body) => (await anonymous.login({ body })).access_token;
  const token = await tokenOf(admin);
  const client = createClient({ baseUrl: host, token });
  await client.reauthenticate({ body: { password: admin.password } });
  const studentToken = await tokenOf(student);

  const uploads = await upload(
    createClient({ baseUrl: `${host}/cutting`, token: studentToken }),
    scene,
    file,
  );
  const { course_id, quiz_id } = scene;
  const detail = await client.readGradingDetail({
    kind: 'quizzes',
    id: (await idsOf(client.iterate.listQueue({ kind: 'quizzes', item_id: quiz_id })))[0],
  });
  const grading = {
    kind: 'quizzes',
    id: detail.data.id,
    body: { grade: 7, total_grade: 10 },
    ifMatch: detail,
  };
  const graded = await client.gradeSubmission(grading);
  const aborting = new AbortController();
  aborting.abort();
  const silent = createClient({ baseUrl: `${host}/silent`, token });
  const bytes = new Uint8Array(
    await new Response(await client.download(detail.data.files[0].url)).arrayBuffer(),
  );

  return {
    me: (await client.readMe()).data.email,
    uploads,
    lists: {
      flat: await idsOf(client.iterate.listHomeworks({ course_id, per_page: 1 })),
      linked: await idsOf(client.iterate.listClasses({ course_id, per_page: 2 })),
      cursor: await idsOf(client.iterate.listEveryone({ kind: 'quizzes', item_id: quiz_id, per_page: 1 })),
    },
    graded: { grade: graded.data.grade, hasTag: headersOf(graded).has('etag') },
    deleted: (await client.deleteClass({ class_id: scene.unused_class_id })) ?? 'nothing',
    csv: (await client.readGradebook({ course_id, format: 'grid.csv' })).split('\n').length,
    start: String.fromCharCode(...bytes.slice(0, 5)),
    busy: (await createClient({ baseUrl: `${host}/busy`, token }).readMe()).data.email,
    isError: await client
      .readCourse({ course_id: 2147483647 })
      .catch((error) => error instanceof GradewayError),
    errors: {
      missing: await failureOf(client.readCourse({ course_id: 2147483647 })),
      invalid: await failureOf(client.createCourse({ body: { title: '' } })),
      stale: await failureOf(client.gradeSubmission({ ...grading, body: { grade: 8, total_grade: 10 } })),
      forbidden: await failureOf(createClient({ baseUrl: host, token: 'wrong' }).readMe()),
      mistyped: await failureOf(client.readCourse({ course_id, corse: 1 })),
      aborted: await failureOf(client.readMe({ signal: aborting.signal })),
      late: await failureOf(silent.readMe({ timeoutMs: 300 })),
    },
  };
}
