import { createHash } from 'node:crypto';
import { SubmissionsService, type SubmissionsServiceHandlers } from '@gradeway/proto/submissions';
import { type GrpcServer, listenGrpc, type Rpcs } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { openToAll } from '@gradeway/test/openToAll';

type Export = Rpcs<SubmissionsServiceHandlers>['ExportSubmissions'];
type Kind = 'homework' | 'quiz';
type Count = { courseId: number; submissions: number; graded: number };

export interface FakeFile {
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
  damaged?: boolean;
  annotated?: boolean;
  isCopy?: boolean;
  /** Metadata that contradicts the content. */
  wrong?: { size?: number; sha256?: string };
}

export interface FakeSubmissionServices {
  env: Record<string, string>;
  /** The files that each service exports; empty by default. */
  files: Record<Kind, (courseId: number, signal: AbortSignal, annotated: boolean) => AsyncIterable<FakeFile>>;
  /** The counts of each service; empty by default. */
  counts: Record<Kind, Count[]>;
  /** The number of bytes sent so far. */
  sentBytes(): number;
  /** The number of calls in progress. */
  activeCalls(): number;
  stop(kind: Kind): Promise<void>;
  close(): Promise<void>;
}

const chunkBytes = 128 * 1024;

/** Starts fakes of homework and quiz that export the files of the test over real gRPC. */
export async function startFakeSubmissionServices(): Promise<FakeSubmissionServices> {
  const log = createLogger('submissions', 'silent');
  const nothing = async function* () {};
  const files: FakeSubmissionServices['files'] = { homework: nothing, quiz: nothing };
  const counts: FakeSubmissionServices['counts'] = { homework: [], quiz: [] };
  let bytes = 0;
  let calls = 0;

  const exportOf = (kind: Kind): Export =>
    async function* ({ courseId, annotated }, signal) {
      calls += 1;
      try {
        for await (const file of files[kind](courseId, signal, annotated)) {
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
      name,
      host: '127.0.0.1',
      port: 0,
      secret: serviceSecret,
      log,
      health: new Health(),
      service: openToAll<SubmissionsServiceHandlers>({
        definition: SubmissionsService.service,
        rpcs: {
          ExportSubmissions: exportOf(name),
          CountSubmissions: async ({ courseIds }) => ({
            counts: counts[name].filter(({ courseId }) => courseIds.includes(courseId)),
          }),
          GetRubric: async () => ({}),
        },
      }),
    });
  const servers = { homework: await listen('homework'), quiz: await listen('quiz') };

  return {
    files,
    counts,
    env: {
      HOMEWORK_GRPC: `127.0.0.1:${servers.homework.port}`,
      QUIZ_GRPC: `127.0.0.1:${servers.quiz.port}`,
    },
    sentBytes: () => bytes,
    activeCalls: () => calls,
    stop: (kind) => servers[kind].close(),
    async close() {
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}

const contentOf = ({ content = Buffer.from('%PDF-1.7 an answer') }: FakeFile) => content;

function toMessage(file: FakeFile) {
  const { grade, totalGrade } = file;
  const content = contentOf(file);
  return {
    itemId: 1,
    itemTitle: 'Title',
    submissionId: 1,
    studentId: 7,
    name: 'a.pdf',
    studentName: 'Ada Lovelace',
    studentEmail: 'ada@school.example',
    ...withoutContent(file),
    size: file.wrong?.size ?? content.length,
    sha256: file.wrong?.sha256 ?? createHash('sha256').update(content).digest('hex'),
    submittedAt: { seconds: Date.UTC(2026, 2, 1, 10) / 1000, nanos: 0 },
    ...(grade === undefined ? {} : { grade }),
    ...(totalGrade === undefined ? {} : { totalGrade }),
  };
}

const withoutContent = ({ content: _content, wrong: _wrong, ...file }: FakeFile) => file;
