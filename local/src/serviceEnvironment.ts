import { join } from 'node:path';
import { mallocSettings } from './mallocSettings.ts';
import type { Installation, ProcessName } from './processes.ts';
import { schemaUrl } from './provisionDatabase.ts';
import type { Secrets } from './secrets.ts';
import { serviceKeysOf } from './serviceKeys.ts';

/** The environment variables of one process: the inherited ones, overridden by this installation's. */
export function serviceEnvironment(name: ProcessName, installation: Installation): NodeJS.ProcessEnv {
  const { config, ports, secrets, directory } = installation;
  const own = ports[name];
  const variables: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    // An inherited value would give all processes the same name in traces.
    OTEL_SERVICE_NAME: '',
    // Developers need every trace. The default is for deployments.
    OTEL_TRACES_SAMPLER_ARG: process.env.OTEL_TRACES_SAMPLER_ARG || '1',
    ...mallocSettings,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(directory, 'compile-cache'),
    HOST: '127.0.0.1',
    PORT: String(own.port),
    ADMIN_PORT: String(own.adminPort),
    GRPC_PORT: String(own.grpcPort ?? ''),
    SERVICE_KEYS: serviceKeysOf(name, secrets.service),
    // An inherited secret would conflict with the keys.
    SERVICE_SECRET: '',
    EVENTS_URL: config.eventsUrl ?? databaseUrlOf('broker', installation),
    AUTH_GRPC: grpcAddress('auth', installation),
    COURSES_GRPC: grpcAddress('courses', installation),
    JWKS_URL: `${httpUrl('auth', installation)}/.well-known/jwks.json`,
    ...variablesOf(name, installation),
  };
  return { ...inherited(variables), ...variables };
}

function variablesOf(name: ProcessName, installation: Installation): NodeJS.ProcessEnv {
  const { config, secrets, directory } = installation;
  if (name === 'gateway')
    return {
      AUTH_URL: httpUrl('auth', installation),
      COURSES_URL: httpUrl('courses', installation),
      HOMEWORK_URL: httpUrl('homework', installation),
      QUIZ_URL: httpUrl('quiz', installation),
    };
  const database = { DATABASE_URL: databaseUrlOf(name, installation) };
  switch (name) {
    case 'auth':
      return {
        ...database,
        HOMEWORK_GRPC: grpcAddress('homework', installation),
        QUIZ_GRPC: grpcAddress('quiz', installation),
        KEY_ENCRYPTION_SECRET: secrets.keyEncryption,
        ERASURE_LIST: config.erasureList ?? erasureListIn(directory),
        OTP_TO_LOG: '1',
        ADMIN_EMAIL: secrets.adminEmail,
        ADMIN_PASSWORD: secrets.adminPassword,
      };
    case 'courses':
      return {
        ...database,
        HOMEWORK_GRPC: grpcAddress('homework', installation),
        QUIZ_GRPC: grpcAddress('quiz', installation),
        WEBHOOK_ENCRYPTION_SECRET: secrets.webhookEncryption,
        IMPORT_DIR: join(directory, 'files', 'arriving', name),
      };
    case 'homework':
    case 'quiz':
      return {
        ...database,
        FILES_DIR: join(directory, 'files', name),
        UPLOAD_DIR: join(directory, 'files', 'arriving', name),
        HOMEWORK_GRPC: grpcAddress('homework', installation),
        QUIZ_GRPC: grpcAddress('quiz', installation),
        FILE_URL_SECRET: name === 'quiz' ? secrets.quizFiles : secrets.homeworkFiles,
      };
  }
}

/** Default path of an installation's erasure list. */
export const erasureListIn = (directory: string): string => join(directory, 'erasures.jsonl');

const httpUrl = (name: ProcessName, { ports }: Installation) => `http://127.0.0.1:${ports[name].port}`;

const grpcAddress = (name: ProcessName, { ports }: Installation) => `127.0.0.1:${ports[name].grpcPort}`;

const databaseUrlOf = (
  schema: keyof Secrets['roles'],
  { adminUrl, database, secrets }: Installation,
): string => schemaUrl(adminUrl, database, schema, secrets.roles[schema]);

// Removes npm's own variables, and NAME_FILE if NAME is set, because a setting must not be given twice.
const inherited = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('npm_') && variables[name.replace(/_FILE$/, '')] === undefined,
    ),
  );
