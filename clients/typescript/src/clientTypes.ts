import type { operations as Operations } from './generated/schema.ts';
import type { Progress } from './http/transport.ts';

export interface ClientOptions {
  /** Where Gradeway is, such as `https://school.example`. In a browser, the page's own host by default. */
  baseUrl?: string | URL;
  /** The token of a program or of a login, or a function that returns the current one. */
  token?: string | (() => string | Promise<string>);
  /** How often an idempotent request is repeated after a temporary failure. Default: 3. */
  retries?: number;
  /**
   * How long a request may go without progress. Default: a minute, or ten for uploads, which may wait for their turn.
   */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}

/** The options that every call accepts besides its parameters. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Called with the bytes of an upload or a download. */
  onProgress?: (progress: Progress) => void;
  /**
   * A previously read answer, its `ETag`, or `*`: the call is refused (412) if this is no longer the current state.
   */
  ifMatch?: object | string;
  /** `*`: only if nothing exists yet. */
  ifNoneMatch?: string;
  /** If the operation accepts a key, the client generates one for each call. A key of your own survives a restart. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

type OperationId = keyof Operations;

// The schema declares absent parameters as never.
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : Operation extends { requestBody?: never }
    ? unknown
    : Operation extends { requestBody?: { content: infer Content } }
      ? { body?: Content[keyof Content] }
      : unknown;

/** Path, query and body of an operation, and the options of the call. */
export type ParametersOf<Id extends OperationId> = Given<Operations[Id]['parameters']['path']> &
  Given<Operations[Id]['parameters']['query']> &
  BodyOf<Operations[Id]> &
  CallOptions;

type BodyIn<Response> = Response extends { content: infer Content }
  ? {
      [Type in keyof Content]: Type extends `${string}json`
        ? Content[Type]
        : Type extends `text/${string}`
          ? string
          : ReadableStream<Uint8Array>;
    }[keyof Content]
  : undefined;

type SuccessOf<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 | 206 ? BodyIn<Responses[Status]> : never;
}[keyof Responses];

/** The body of an operation's successful response. */
export type AnswerOf<Id extends OperationId> = SuccessOf<Operations[Id]['responses']>;

type PagedId = {
  [Id in OperationId]: Id extends `${'list' | 'search' | 'read'}${string}`
    ? 'page' extends keyof Given<Operations[Id]['parameters']['query']>
      ? Id
      : 'cursor' extends keyof Given<Operations[Id]['parameters']['query']>
        ? Id
        : never
    : never;
}[OperationId];

type RowsOf<Answer> = Answer extends { data: readonly (infer Row)[] }
  ? Row
  : Answer extends { data: { students: readonly (infer Row)[] } }
    ? Row
    : never;

/** The row of a list. */
export type RowOf<Id extends PagedId> = RowsOf<AnswerOf<Id>>;

// A call without required parameters needs no argument.
type Arguments<Parameters> =
  Record<never, never> extends Parameters ? [parameters?: Parameters] : [parameters: Parameters];

/** A function for each operation of the API, named after its `operationId`, that returns the body of the response. */
export type Client = {
  [Id in keyof Operations]: (...parameters: Arguments<ParametersOf<Id>>) => Promise<AnswerOf<Id>>;
} & {
  /** The rows of all pages of a list, read on demand. */
  iterate: {
    [Id in PagedId]: (
      ...parameters: Arguments<ParametersOf<Id>>
    ) => AsyncGenerator<RowOf<Id>, void, undefined>;
  };
  /** Opens the URL of a file in an answer, which needs no token. */
  download(
    url: string,
    options?: Pick<CallOptions, 'signal' | 'timeoutMs' | 'onProgress'>,
  ): Promise<ReadableStream<Uint8Array>>;
};
