import { Fixtures, type Student } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import type { Kind } from './ledger.ts';
import type { SystemUnderTest } from './system.ts';

/** Something that one student hands in once. */
export interface Unit {
  kind: Kind;
  itemId: number;
  student: Student;
}

const studentCount = 10;
const itemsPerKind = 14;

/** A course whose students hand in quizzes and homework. Each row of the table gets its own items. */
export interface School {
  system: SystemUnderTest;
  fixtures: Fixtures;
  courseId: number;
  /** Creates quizzes and classes, and returns every combination of them with a student. */
  newUnits(): Promise<Unit[]>;
}

/** Removes the first unit of a kind. */
export function takeUnit(units: Unit[], kind: Kind): Unit | undefined {
  const at = units.findIndex((each) => each.kind === kind);
  return at < 0 ? undefined : units.splice(at, 1)[0];
}

export async function openSchool(system: SystemUnderTest): Promise<School> {
  const fixtures = new Fixtures(system);
  const courseId = await fixtures.newCourse();
  const students: Student[] = [];
  for (let each = 0; each < studentCount; each += 1) {
    const student = await fixtures.newStudent();
    await fixtures.enroll(courseId, student);
    students.push(student);
  }
  const newItem = async (kind: Kind): Promise<number> => {
    if (kind === 'quiz') return fixtures.newQuiz(courseId);
    const classId = await fixtures.newClass(courseId);
    await fixtures.newAssignment(classId);
    return classId;
  };
  return {
    system,
    fixtures,
    courseId,
    async newUnits() {
      const units: Unit[] = [];
      for (let each = 0; each < itemsPerKind; each += 1) {
        // After a fault, or right after its start, a service might not reach the others yet.
        const [quiz, homework] = await Promise.all([
          waitFor(() => newItem('quiz')),
          waitFor(() => newItem('homework')),
        ]);
        // Neighbours have different students, so that simultaneous uploads come from different users.
        for (const student of students)
          units.push(
            { kind: 'quiz', itemId: quiz, student },
            { kind: 'homework', itemId: homework, student },
          );
      }
      return units;
    },
  };
}
