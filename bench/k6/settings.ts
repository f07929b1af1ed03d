// The environment of the scripts. No import of k6 here: a test reads these files with Node.js.

type Environment = Record<string, string | undefined>;

export interface Settings {
  gatewayUrl: string;
  /** Where uploads are sent: the gateway, or slowNetwork.ts in front of it. */
  uploadUrl: string;
  adminEmail: string;
  adminPassword: string;
  /** A current one-time code, if the administrator has a second factor. */
  adminTotp: string | undefined;
  students: number;
  fileBytes: number;
  /** The time in which students submit, in seconds. */
  windowSeconds: number;
  /** The time before it in which they log in, in seconds. */
  loginSeconds: number;
  /** From the end of the window to the end of the quiz. */
  graceSeconds: number;
  graders: number;
  /** For normalDay.ts. */
  durationSeconds: number;
  /** Simulates phones whose connections are slow and break: a broken upload is repeated with its Idempotency-Key. */
  slowPhones: boolean;
  keepData: boolean;
  /** Maximum p99 of lists, pages and gradings. */
  p99Ms: number;
}

/** @throws Error that names the variable */
export function readSettings(env: Environment): Settings {
  const gatewayUrl = (env.GATEWAY_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const uploadUrl = (env.UPLOAD_URL ?? gatewayUrl).replace(/\/+$/, '');
  const students = whole(env, 'STUDENTS', 100);
  const slowPhones = env.SLOW_PHONES === '1';
  return {
    gatewayUrl,
    uploadUrl,
    adminEmail: required(env, 'ADMIN_EMAIL'),
    adminPassword: required(env, 'ADMIN_PASSWORD'),
    adminTotp: env.ADMIN_TOTP || undefined,
    students,
    fileBytes: whole(env, 'FILE_BYTES', 1_000_000, 1_000),
    windowSeconds: whole(env, 'WINDOW_SECONDS', 30),
    loginSeconds: whole(env, 'LOGIN_SECONDS', Math.max(10, Math.ceil(students / 10))),
    graceSeconds: whole(env, 'GRACE_SECONDS', slowPhones ? 60 : 3),
    graders: whole(env, 'GRADERS', 5),
    durationSeconds: whole(env, 'DURATION_SECONDS', 120),
    slowPhones,
    keepData: env.KEEP_DATA === '1',
    p99Ms: whole(env, 'P99_MS', 500),
  };
}

function required(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is required (k6 run -e ${name}=…)`);
  return value;
}

function whole(env: Environment, name: string, otherwise: number, least = 1): number {
  const value = Number(env[name] ?? otherwise);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`${name} must be a whole number of at least ${least}`);
  return value;
}
