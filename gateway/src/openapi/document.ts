/** An OpenAPI or AsyncAPI document, or an object in it. */
// biome-ignore lint/suspicious/noExplicitAny: the build adds to documents that tests verify
export type Document = Record<string, any>;
