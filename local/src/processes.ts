import { join } from 'node:path';
import { memorySettings } from './memorySettings.ts';
import { schemaUrl } from './provisionDatabase.ts';
import type { Secrets } from './secrets.ts';
import type { LocalConfig } from './settings.ts';

export const processNames = ['auth', 'courses', 'homework', 'quiz', 'gateway'] as const;

export type ProcessName = (typeof processNames)[number];

export interface Ports {
  port: number;
  grpcPort: number | null;
  adminPort: number;
}

export interface Installation {
  config: LocalConfig;
  directory: string;
  secrets: Secrets;
  ports: Record<ProcessName, Ports>;
  /** A superuser's URL, and the database that everything is in. */
  adminUrl: string;
  database: string;
}

/** The environment of one process: everything of ours, then what makes it this process of this installation. */
export function environmentOf(name: ProcessName, installation: Installation): NodeJS.ProcessEnv {
  const { config, ports, secrets, directory } = installation;
  const own = ports[name];
  const at = (other: ProcessName) => `http://127.0.0.1:${ports[other].port}`;
  const ours: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    // Each process goes by its own name in traces.
    OTEL_SERVICE_NAME: '',
    ...memorySettings,
    NODE_COMPILE_CACHE: join(directory, 'compile-cache'),
    HOST: '127.0.0.1',
    PORT: String(own.port),
    ADMIN_PORT: String(own.adminPort),
    GRPC_PORT: String(own.grpcPort ?? ''),
    SERVICE_SECRET: secrets.service,
    EVENTS_URL: config.eventsUrl ?? databaseUrlOf('broker', installation),
    AUTH_GRPC: `127.0.0.1:${ports.auth.grpcPort}`,
    COURSES_GRPC: `127.0.0.1:${ports.courses.grpcPort}`,
    JWKS_URL: `${at('auth')}/.well-known/jwks.json`,
    ...(name === 'gateway'
      ? {
          AUTH_URL: at('auth'),
          COURSES_URL: at('courses'),
          HOMEWORK_URL: at('homework'),
          QUIZ_URL: at('quiz'),
        }
      : serviceEnvironment(name, installation)),
  };
  return { ...inherited(ours), ...ours };
}

function serviceEnvironment(
  name: Exclude<ProcessName, 'gateway'>,
  installation: Installation,
): NodeJS.ProcessEnv {
  const { ports, secrets, directory } = installation;
  const common = { DATABASE_URL: databaseUrlOf(name, installation) };
  switch (name) {
    case 'auth':
      return {
        ...common,
        KEY_ENCRYPTION_SECRET: secrets.keyEncryption,
        ADMIN_EMAIL: secrets.adminEmail,
        ADMIN_PASSWORD: secrets.adminPassword,
      };
    case 'courses':
      return {
        ...common,
        HOMEWORK_GRPC: `127.0.0.1:${ports.homework.grpcPort}`,
        QUIZ_GRPC: `127.0.0.1:${ports.quiz.grpcPort}`,
        WEBHOOK_ENCRYPTION_SECRET: secrets.webhookEncryption,
        IMPORT_DIR: join(directory, 'files', 'arriving', name),
      };
    case 'homework':
    case 'quiz':
      return {
        ...common,
        FILES_DIR: join(directory, 'files', name),
        UPLOAD_DIR: join(directory, 'files', 'arriving', name),
        FILE_URL_SECRET: name === 'quiz' ? secrets.quizFiles : secrets.homeworkFiles,
      };
  }
}

const databaseUrlOf = (
  schema: keyof Secrets['roles'],
  { adminUrl, database, secrets }: Installation,
): string => schemaUrl(adminUrl, database, schema, secrets.roles[schema]);

// npm's own variables are not for us, a PORT of ours is the gateway's alone, and what we give as a value is not given
// in a file as well.
const inherited = (ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('npm_') && ours[name.replace(/_FILE$/, '')] === undefined,
    ),
  );
