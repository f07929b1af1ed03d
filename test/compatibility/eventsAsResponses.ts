import type { Document } from './documents.ts';

/**
 * The events of an AsyncAPI document as an OpenAPI document whose operations respond with them: receivers of events and
 * callers of operations read what Gradeway writes, so the same changes break them.
 */
export function eventsAsResponses({ components }: Document): Document {
  const describe = ({ headers, payload }: Document) => {
    const { properties } = components.schemas[headers.$ref.replace('#/components/schemas/', '')];
    return {
      description: '',
      headers: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, { required: true, schema }]),
      ),
      content: { 'application/json': { schema: payload } },
    };
  };
  const paths = Object.entries<Document>(components.messages).map(([name, message]) => [
    `/${name}`,
    { get: { operationId: name, responses: { 200: describe(message) } } },
  ]);
  const { schemas } = components;
  return {
    openapi: '3.1.0',
    info: { title: 'Events', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
}
