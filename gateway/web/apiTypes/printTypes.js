// A separate workspace, because openapi-typescript needs TypeScript 5 to print the types.
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

export const isFile = (schema) => schema.format === 'binary' || schema.contentMediaType !== undefined;

/**
 * The TypeScript types of the API, as openapi-typescript prints them.
 * @param {{ module: string, name: string }} [file] the type of a file in a form, instead of `string`
 */
export async function printTypes(document, file) {
  const types = await openapiTypescript(document, {
    ...(file && {
      inject: `import type { ${file.name} } from '${file.module}';\n`,
      transform: (schema) => (isFile(schema) ? ts.factory.createTypeReferenceNode(file.name) : undefined),
    }),
  });
  return astToString(types);
}
