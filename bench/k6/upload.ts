import { sleep } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { type Answer, countFailure, read } from './gateway.ts';
import { multipart } from './multipart.ts';
import { counters, requests } from './options.ts';
import { makePdf } from './pdf.ts';
import { timeText } from './school.ts';
import type { Settings } from './settings.ts';

interface Upload {
  token: string;
  courseId: number;
  quizId: number;
  /** The end of the quiz on this machine's clock. Without it no upload is late. */
  closesAt?: number;
}

const accepted = new Counter(counters.accepted);
const judgedLate = new Counter(counters.judgedLate);
const startedLate = new Counter(counters.startedLate);
const broken = new Counter(counters.broken);
const seconds = new Trend('upload_seconds');

// The end of the quiz is known only to the second, because a server's Date has no fraction.
const uncertainMs = 1_000;
const pauseSeconds = 1;

/** Submits a PDF. If its connection breaks, a slow phone repeats the same request until the quiz ends. */
export function handIn(settings: Settings, upload: Upload): void {
  const { closesAt = Number.POSITIVE_INFINITY } = upload;
  const key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const firstAt = Date.now();
  for (;;) {
    const answer = send(settings, upload, key);
    // Later than the call to `send`, because a busy machine may take a long time to build the body and to connect.
    const sentAt = Date.now() - answer.timings.duration;
    if (answer.status === 200) {
      accepted.add(1);
      seconds.add((Date.now() - firstAt) / 1_000);
      return;
    }
    if (isTooLate(answer)) return void (sentAt < closesAt - uncertainMs ? judgedLate : startedLate).add(1);
    const isBroken = answer.status === 0 && settings.slowPhones;
    if (isBroken) broken.add(1);
    else countFailure('upload', answer);
    if (!settings.slowPhones || Date.now() > closesAt) return;
    sleep(pauseSeconds);
  }
}

const isTooLate = (answer: Answer): boolean =>
  answer.status === 403 && read<{ message: string }>(answer).message === 'QuizDurationExpired';

function send({ gatewayUrl, uploadUrl, fileBytes }: Settings, upload: Upload, key: string): Answer {
  const { token, courseId, quizId } = upload;
  const fields = {
    course_id: String(courseId),
    quiz_id: String(quizId),
    duration: '120',
    start_at: timeText(Date.now() - 60_000),
  };
  // Created for each upload: a variable would keep a copy in the memory of every virtual user.
  const { body, contentType } = multipart(fields, { name: 'scan.pdf', content: makePdf(fileBytes) });
  const headers = {
    Accept: 'application/json',
    Authorization: `Bearer ${token}`,
    'Content-Type': contentType,
    'Idempotency-Key': key,
    // slowNetwork.ts forwards requests unchanged.
    ...(uploadUrl === gatewayUrl ? {} : { Host: gatewayUrl.replace(/^https?:\/\//, '') }),
  };
  const [, path] = requests.upload;
  return http.post(uploadUrl + path, body, { headers, timeout: '10m', tags: { name: 'upload' } }) as Answer;
}
