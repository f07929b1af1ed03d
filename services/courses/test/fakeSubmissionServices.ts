import { createHash } from 'node:crypto';
import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import { type GrpcServer, listenGrpc, type Rpcs } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret } from '@gradeway/test/peers';

type Export = Rpcs<SubmissionsServiceHandlers>['ExportSubmissions'];
type Kind = 'homework' | 'quiz';

export interface HandedIn {
  studentId?: number;
  studentName?: string;
  studentEmail?: string;
  itemId?: number;
  itemTitle?: string;
  submissionId?: number;
  name?: string;
  content?: Buffer;
  grade?: number;
  totalGrade?: number;
  missing?: boolean;
  /** What is told of it where that is not the truth. */
  told?: { size?: number; sha256?: string };
}

export interface SubmissionSources {
  env: Record<string, string>;
  /** What each answers for a course; nothing by default. */
  answers: Record<Kind, (courseId: number, gone: AbortSignal) => AsyncIterable<HandedIn>>;
  /** How many bytes they have given so far. */
  given(): number;
  /** How many calls are under way. */
  underWay(): number;
  stop(kind: Kind): Promise<void>;
  close(): Promise<void>;
}

const chunkBytes = 128 * 1024;

/** Homework and quiz as courses sees them, over real gRPC, with what a test says that was handed in. */
export async function startSubmissionSources(): Promise<SubmissionSources> {
  const log = createLogger('sources', 'silent');
  const nothing = async function* () {};
  const answers: SubmissionSources['answers'] = { homework: nothing, quiz: nothing };
  let bytes = 0;
  let calls = 0;

  const exportOf = (kind: Kind): Export =>
    async function* ({ courseId }, gone) {
      calls += 1;
      try {
        for await (const file of answers[kind](courseId, gone)) {
          yield { file: toMessage(file) };
          const content = file.missing ? Buffer.alloc(0) : contentOf(file);
          for (let start = 0; start < content.length; start += chunkBytes) {
            const chunk = content.subarray(start, start + chunkBytes);
            bytes += chunk.length;
            yield { chunk };
          }
        }
      } finally {
        calls -= 1;
      }
    };
  const listen = (name: Kind): Promise<GrpcServer> =>
    listenGrpc<SubmissionsServiceHandlers>({
      ...{ name, host: '127.0.0.1', port: 0, secret: serviceSecret, log, health: new Health() },
      service: { definition: SubmissionsService.service, rpcs: { ExportSubmissions: exportOf(name) } },
    });
  const servers = { homework: await listen('homework'), quiz: await listen('quiz') };

  return {
    answers,
    env: {
      HOMEWORK_GRPC: `127.0.0.1:${servers.homework.port}`,
      QUIZ_GRPC: `127.0.0.1:${servers.quiz.port}`,
    },
    given: () => bytes,
    underWay: () => calls,
    stop: (kind) => servers[kind].close(),
    async close() {
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}

const contentOf = ({ content = Buffer.from('%PDF-1.7 an answer') }: HandedIn) => content;

function toMessage(file: HandedIn) {
  const { grade, totalGrade } = file;
  const content = contentOf(file);
  return {
    ...{ itemId: 1, itemTitle: 'Title', submissionId: 1, studentId: 7, name: 'a.pdf' },
    ...{ studentName: 'Ada Lovelace', studentEmail: 'ada@school.example' },
    ...withoutContent(file),
    size: file.told?.size ?? content.length,
    sha256: file.told?.sha256 ?? createHash('sha256').update(content).digest('hex'),
    submittedAt: { seconds: Date.UTC(2026, 2, 1, 10) / 1000, nanos: 0 },
    ...(grade === undefined ? {} : { grade }),
    ...(totalGrade === undefined ? {} : { totalGrade }),
  };
}

const withoutContent = ({ content: _content, told: _told, ...file }: HandedIn) => file;
