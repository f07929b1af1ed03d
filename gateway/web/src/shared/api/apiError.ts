import { PasswordNotGiven } from '../access/passwordRequest.ts';

/** An answer other than the one that was asked for. */
export class ApiError extends Error {
  readonly status: number;
  /** Messages by field. */
  readonly fields: Record<string, string[]>;
  /** What the answer carries besides, such as the present state with 412. */
  readonly data: unknown;
  readonly etag: string | null;

  constructor(
    status: number,
    message: string,
    details: { fields?: Record<string, string[]> | null; data?: unknown; etag?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = details.fields ?? {};
    this.data = details.data;
    this.etag = details.etag ?? null;
  }

  /** The first message about a field, else the message. */
  get sentence(): string {
    return Object.values(this.fields)[0]?.[0] ?? this.message;
  }
}

interface ErrorBody {
  message?: string;
  errors?: Record<string, string[]> | null;
  data?: unknown;
}

export async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return errorOf(response, body);
}

export function errorOf(response: Response, body: ErrorBody): ApiError {
  const { message = response.statusText, errors = null, data } = body ?? {};
  return new ApiError(response.status, message, { fields: errors, data, etag: response.headers.get('etag') });
}

/** Whether asking again later can succeed: no connection, or a service that is down or busy. */
export function isPassing(error: unknown): boolean {
  if (error instanceof PasswordNotGiven) return false;
  if (!(error instanceof ApiError)) return true;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}
