export type { FileFromStream, FileOnDisk, Upload } from './body/upload.ts';
export type {
  AnswerOf,
  CallOptions,
  Client,
  ClientOptions,
  ParametersOf,
  RowOf,
} from './clientTypes.ts';
export { createClient } from './createClient.ts';
export type { components } from './generated/schema.ts';
export { headersOf } from './http/answer.ts';
export { GradewayError } from './http/gradewayError.ts';
export type { Progress } from './http/transport.ts';
