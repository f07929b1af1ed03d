import { Agent, request } from 'node:http';
import type { School, Student } from './startSchool.ts';

interface Upload {
  student: Student;
  quizId: number;
  /** `Idempotency-Key`. */
  key?: string;
  /** False for a separate connection. */
  reusesConnection?: boolean;
}

export interface UploadAnswer {
  /** 0 without a response. */
  status: number;
  body: string;
  ms: number;
}

const boundary = 'a-boundary-of-the-benchmark';
const agent = new Agent({ keepAlive: true });

interface Target {
  baseUrl: string;
  courseId: number;
  pdf: Buffer;
}

interface Form extends Omit<Upload, 'student'> {
  token: string;
}

/** Hands in the school's PDF. */
export const sendUpload = (
  { system: { baseUrl }, courseId, pdf }: School,
  { student: { token }, ...upload }: Upload,
): Promise<UploadAnswer> => sendForm({ baseUrl, courseId, pdf }, { token, ...upload });

/** Hands in a PDF with as little work for this process as possible. */
export function sendForm(
  { baseUrl, courseId, pdf }: Target,
  { token, quizId, key, reusesConnection = true }: Form,
): Promise<UploadAnswer> {
  const fields = {
    course_id: courseId,
    quiz_id: quizId,
    duration: 60,
    start_at: `${new Date(Date.now() - 60_000).toISOString().slice(0, 19)}Z`,
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="scan.pdf"\r\n` +
      'Content-Type: application/pdf\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, body: string) =>
      resolve({ status, body, ms: performance.now() - startedAt });
    const req = request(
      `${baseUrl}/api/v3/quiz/submit-pdf`,
      {
        agent: reusesConnection && agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + pdf.length + tail.length,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      },
      (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        res.on('end', () => end(res.statusCode ?? 0, body));
      },
    );
    req.on('error', (error) => end(0, error.message));
    req.write(head);
    req.write(pdf);
    req.end(tail);
  });
}
