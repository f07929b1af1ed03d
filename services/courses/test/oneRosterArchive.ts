import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Creates a ZIP archive of these files. */
export function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  return buffer(archive.outputStream);
}

const headers = {
  users:
    'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
  courses:
    'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
  classes:
    'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
  enrollments:
    'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
};

type Cells = Record<string, string>;

/** Creates a OneRoster 1.1 file with all columns of the standard. Missing cells are empty. */
export function csv(file: keyof typeof headers, rows: Cells[]): string {
  const columns = headers[file].split(',');
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return [headers[file], ...lines, ''].join('\r\n');
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export interface School {
  users: Cells[];
  courses: Cells[];
  classes: Cells[];
  enrollments: Cells[];
}

/** A school with one course, one class and some students. `mark` makes its sourcedIds and addresses unique. */
export function schoolOf(mark: string, students = 2): School {
  const numbers = Array.from({ length: students }, (_, index) => index + 1);
  return {
    users: numbers.map((n) => ({
      sourcedId: `${mark}-u${n}`,
      enabledUser: 'true',
      role: 'student',
      username: `${mark}-${n}`,
      givenName: 'Ada',
      familyName: `L${n}`,
      email: `${mark}-${n}@school.example`,
    })),
    courses: [{ sourcedId: `${mark}-c1`, title: 'Algebra' }],
    classes: [{ sourcedId: `${mark}-k1`, title: 'Groups', courseSourcedId: `${mark}-c1` }],
    enrollments: numbers.map((n) => ({
      sourcedId: `${mark}-e${n}`,
      classSourcedId: `${mark}-k1`,
      userSourcedId: `${mark}-u${n}`,
      role: 'student',
    })),
  };
}

/** Creates the archive of a school. */
export const archiveOf = (school: Partial<School>): Promise<Buffer> =>
  zip(
    Object.fromEntries(
      Object.entries(school).map(([file, rows]) => [`${file}.csv`, csv(file as keyof School, rows)]),
    ),
  );
