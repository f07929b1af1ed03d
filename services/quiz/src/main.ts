import { listenForOperators } from '@gradeway/shared/adminServer';
import { consumeEvents } from '@gradeway/shared/events/consumeEvents';
import { fileUrls } from '@gradeway/shared/files/fileRoutes';
import { openFiles } from '@gradeway/shared/files/openFiles';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import { submissionsService } from '@gradeway/shared/files/submissionsService';
import { listenGrpc } from '@gradeway/shared/grpcServer';
import { listen } from '@gradeway/shared/httpServer';
import { IdempotencyKeys } from '@gradeway/shared/idempotency';
import { openEvents } from '@gradeway/shared/openEvents';
import { openServiceDatabase } from '@gradeway/shared/openServiceDatabase';
import { openTokenVerifier } from '@gradeway/shared/openTokenVerifier';
import { People } from '@gradeway/shared/people';
import { createPublicUrl } from '@gradeway/shared/publicUrl';
import { createReceipts } from '@gradeway/shared/receipts';
import { runProcess } from '@gradeway/shared/runProcess';
import { createClock } from '@gradeway/shared/timestamps';
import { connectCourses } from './clients/coursesClient.ts';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { QuizRepository } from './data/quizRepository.ts';
import { StartRepository } from './data/startRepository.ts';
import { SubmissionLists } from './data/submissionLists.ts';
import { peopleReferenced, SubmissionRepository } from './data/submissionRepository.ts';
import { submittedFiles } from './data/submittedFiles.ts';
import { createApp } from './http/app.ts';

await runProcess('quiz', settings, async (process) => {
  const { config, log, health, onStop } = process;
  const { host, serviceSecret: secret } = config;

  const operators = await listenForOperators(health, host, config.adminPort);
  onStop('the admin port', () => operators.close());

  const sequelize = await openServiceDatabase(process, 'quiz', new URL('../migrations/', import.meta.url));
  const models = defineModels(sequelize);
  const { broker, outbox } = await openEvents(process, sequelize);

  const { verify, auth } = openTokenVerifier(process, 'quiz', broker);
  const courses = connectCourses({ address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());

  const people = new People({ sequelize, auth, log, referenced: peopleReferenced });
  onStop('the names', () => people.close());
  const stopConsuming = await consumeEvents({
    ...{ consumer: 'quiz', broker, sequelize, log },
    handlers: people.eventHandlers,
  });
  onStop('the event consumer', stopConsuming);

  const { files, pdf, signer } = await openFiles(process, 'quiz', sequelize);
  const idempotency = new IdempotencyKeys(sequelize, log);
  onStop('the idempotency keys', () => idempotency.close());
  const publicUrl = createPublicUrl(config.publicUrl);
  const form = {
    directory: config.uploadDirectory,
    field: 'file',
    maxFiles: 1,
    maxBytes: config.maxUploadBytes,
  };
  const app = createApp({
    ...{ log, health, verify, sequelize, people, courses, files, outbox, pdf, publicUrl, signer },
    ...{ idempotency, sendReceipt: createReceipts({ auth, log }) },
    quizzes: new QuizRepository(sequelize, models),
    starts: new StartRepository(sequelize),
    submissions: new SubmissionRepository(sequelize, models),
    submissionLists: new SubmissionLists(sequelize),
    trustClientClock: config.trustClientClock,
    clock: createClock(config.timeZone),
    fileUrls: fileUrls('quiz', signer, publicUrl),
    receiveForm: (req, res) => receiveForm(req, res, form),
  });

  const grpc = await listenGrpc({
    ...{ name: 'quiz', host, port: config.grpcPort, secret, log, health },
    service: submissionsService(files, (courseId) => submittedFiles(sequelize, courseId)),
  });
  onStop('the gRPC server', () => grpc.close());
  const http = await listen(app, { host, port: config.port, requestTimeoutMs: 10 * 60_000 });
  onStop('the HTTP server', () => http.close());
});
