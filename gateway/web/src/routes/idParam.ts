import { notFound } from '@tanstack/react-router';
import { parseId } from './parseId.ts';

/** The options of a route whose path has an id. An invalid id is shown as "not found". */
export const idParam = <Name extends string>(name: Name) => ({
  params: {
    parse: (params: Record<Name, string>) => ({ [name]: parseId(params[name]) }) as Record<Name, number>,
    stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
  },
  beforeLoad: ({ params }: { params: Record<Name, number> }) => {
    if (params[name] === 0) throw notFound();
  },
});
