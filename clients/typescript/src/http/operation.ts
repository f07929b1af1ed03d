/** What the client needs to know at run time to send an operation's request. */
export interface Operation {
  method: string;
  /** With `{name}` for each parameter. */
  path: string;
  /** Names of the query parameters. */
  query?: string[];
  /** Content types of the request body. */
  body?: string[];
  /** Whether the operation understands an `Idempotency-Key`. */
  takesKey?: boolean;
}
