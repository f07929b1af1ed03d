import { operations } from './openApi.ts';

/** The ids of the operations under these paths that students may call, or that need no token. */
export const studentOperations = (paths: RegExp): string[] =>
  operations
    .filter(({ template, operation }) => {
      const roles: string[] = operation['x-roles'];
      return paths.test(template) && (roles.includes('user') || roles.includes('public'));
    })
    .map(({ operation }) => operation.operationId as string)
    .toSorted();
