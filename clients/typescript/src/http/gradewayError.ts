/** The request was refused, or got no response. */
export class GradewayError extends Error {
  override readonly name = 'GradewayError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The stable code of the error, from the header `Error-Code`; `unreachable` or `timeout` without a response. */
  readonly code: string;
  /** The messages for each invalid field. */
  readonly fields: Record<string, string[]>;
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    details: {
      status: number;
      code: string;
      fields?: Record<string, string[]>;
      requestId?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.requestId = details.requestId;
  }
}

/** The error that a response reports. A proxy in front of Gradeway may respond with a body that is not JSON. */
export async function errorOf(response: Response): Promise<GradewayError> {
  const body = await response
    .clone()
    .json()
    .catch(() => undefined);
  const { status, headers } = response;
  return new GradewayError(body?.message ?? `The server answered ${status}.`, {
    status,
    code: headers.get('error-code') ?? `http_${status}`,
    fields: body?.errors ?? {},
    requestId: headers.get('x-request-id') ?? undefined,
  });
}
