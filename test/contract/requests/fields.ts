import { z } from 'zod';
import { locate, type Node, operations } from '../../support/openApi.ts';
import { unvalidated, validators } from './validators.ts';

/** The fields of a request in one place, as the document describes them and as the route validates them. */
interface Place {
  name: string;
  /** Values arrive as text, in a query or a form. */
  isText: boolean;
  documented: Map<string, DocumentedField>;
  validated: Map<string, z.ZodType>;
}

interface DocumentedField {
  /** The JSON pointer to the schema. */
  at: string;
  isRequired: boolean;
}

/** A field that the document describes and zod validates. */
export interface Field {
  name: string;
  isText: boolean;
  at: string;
  zod: z.ZodType;
}

const bodies = [
  { kind: 'json', contentType: 'application/json', isText: false },
  { kind: 'form', contentType: 'multipart/form-data', isText: true },
] as const;

/** The query and every body of all operations, except those that neither side has. */
export function listPlaces(): Place[] {
  const places = operations.flatMap(({ operation, at }): Place[] => {
    const id = operation.operationId;
    if (id in unvalidated) return [];
    const { query = [], ...schemas } = validators[id] ?? {};
    return [
      { name: `${id} query`, isText: true, documented: queryOf(operation, at), validated: fieldsOf(query) },
      ...bodies.map(({ kind, contentType, isText }) => {
        const { fields, files } = bodyOf(operation, at, contentType);
        const validated = fieldsOf(schemas[kind] ? [schemas[kind]] : []);
        // zod does not see files: the reader of the form checks their content.
        for (const name of files) validated.delete(name);
        return { name: `${id} ${kind}`, isText, documented: fields, validated };
      }),
    ];
  });
  return places.filter(({ documented, validated }) => documented.size + validated.size > 0);
}

export const listFields = (): Field[] =>
  listPlaces().flatMap(({ name: place, isText, documented, validated }) =>
    [...documented].flatMap(([name, { at }]) => {
      const zod = validated.get(name);
      return zod ? [{ name: `${place} ${name}`, isText, at, zod }] : [];
    }),
  );

function queryOf({ parameters = [] }: Node, at: string): Place['documented'] {
  const located = parameters.map((_: Node, index: number) => locate(`${at}/parameters/${index}`));
  return new Map(
    located
      .filter(({ node }: { node: Node }) => node.in === 'query')
      .map(({ node, at }: { node: Node; at: string }) => [
        node.name,
        { at: `${at}/schema`, isRequired: node.required === true },
      ]),
  );
}

function bodyOf({ requestBody }: Node, at: string, contentType: string) {
  if (!requestBody?.content[contentType]) return { fields: new Map<string, DocumentedField>(), files: [] };
  const schema = locate(`${at}/requestBody/content/${contentType.replace('/', '~1')}/schema`);
  const { properties, required = [] } = schema.node;
  const files = Object.keys(properties).filter((name) => isFile(properties[name]));
  const others = Object.keys(properties).filter((name) => !files.includes(name));
  const fields = new Map<string, DocumentedField>(
    others.map((name) => [
      name,
      { at: `${schema.at}/properties/${name}`, isRequired: required.includes(name) },
    ]),
  );
  return { fields, files };
}

function isFile(schema: Node): boolean {
  const { contentMediaType, format, items, anyOf = [] } = schema.$ref ? locate(schema.$ref).node : schema;
  if (contentMediaType || format === 'binary') return true;
  return [items, ...anyOf].some((each) => each && isFile(each));
}

const fieldsOf = (schemas: z.ZodType[]): Place['validated'] =>
  new Map(schemas.flatMap((schema) => Object.entries(shapeOf(schema))));

/** The fields of an object schema, before its transformations. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodObject) return schema.shape;
  throw new Error('not an object schema');
}
