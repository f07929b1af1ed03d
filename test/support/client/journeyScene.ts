import type { Fixtures } from '../fixtures.ts';
import { waitFor } from '../waitFor.ts';

type Creators = Pick<
  Fixtures,
  'newScene' | 'newClass' | 'newAssignment' | 'newStudent' | 'enroll' | 'asAdmin'
>;

/** A course with lists of several pages, for the journey of the client. */
export async function journeyScene({
  newScene,
  newClass,
  newAssignment,
  newStudent,
  enroll,
  asAdmin,
}: Creators) {
  const { courseId, classId, quizId, student } = await newScene();
  const classes = [classId, await newClass(courseId), await newClass(courseId)];
  for (const id of classes.slice(1)) await newAssignment(id);
  const others = [await newStudent(), await newStudent()];
  for (const other of others) await enroll(courseId, other);
  const unused = await newClass(courseId);
  // Enrollments reach the quiz service as events.
  const admin = await asAdmin();
  await waitFor(async () => {
    const { body } = await admin.get(`/api/v3/grading/quizzes/${quizId}/students`);
    return body.meta?.total === 3;
  });
  return {
    student: { email: student.email, password: student.password },
    scene: { course_id: courseId, quiz_id: quizId, unused_class_id: unused },
    /** What the lists contain, sorted. */
    lists: {
      flat: classes.toSorted((one, other) => one - other),
      linked: [...classes, unused].toSorted((one, other) => one - other),
      cursor: [student.id, ...others.map(({ id }) => id)].toSorted((one, other) => one - other),
    },
  };
}
