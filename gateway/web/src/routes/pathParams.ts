import { notFound } from '@tanstack/react-router';
import type { Kind } from '../shared/api/workTypes.ts';

/** Returns 0 for an invalid id. Parsing must not throw, because the router would report an error. */
const parseId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

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

/** The options of a route whose path has a kind of work and an id. */
export const kindAndIdParams = <Name extends string>(name: Name) => {
  const { params: id, beforeLoad } = idParam(name);
  return {
    params: {
      parse: (params: { kind: string } & Record<Name, string>) => ({
        kind: params.kind as Kind,
        ...id.parse(params),
      }),
      stringify: (params: { kind: Kind } & Record<Name, number>) => ({
        kind: params.kind,
        ...id.stringify(params),
      }),
    },
    beforeLoad: ({ params }: { params: { kind: Kind } & Record<Name, number> }) => {
      if (params.kind !== 'quizzes' && params.kind !== 'homeworks') throw notFound();
      beforeLoad({ params });
    },
  };
};
