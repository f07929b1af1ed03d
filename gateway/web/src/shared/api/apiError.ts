import { ReauthenticationDeclined } from '../session/reauthentication.ts';

/** An unsuccessful response. */
export class ApiError extends Error {
  readonly status: number;
  /** Validation messages by field. */
  readonly fields: Record<string, string[]>;
  /** Further data in the response, such as the current state with 412. */
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

  /** The first validation message if there is one, otherwise the message. */
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

/** Whether a retry can succeed later: there is no connection, or a service is down or busy. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ReauthenticationDeclined) return false;
  if (!(error instanceof ApiError)) return true;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}
