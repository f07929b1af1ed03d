import type { Manifest } from './manifests.ts';

// biome-ignore lint/suspicious/noExplicitAny: each field has a different shape
type Fields = Record<string, any>;

const rootPath = { path: { type: 'PathPrefix', value: '/' } };
const toGateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
const toService = { group: '', kind: 'Service', weight: 1 };
const toSecret = { group: '', kind: 'Secret' };

const each = (items: Fields[] | undefined, change: (item: Fields) => Fields) => items?.map(change);
const present = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Adds the fields that an API server adds to the objects of the Gateway API, by the defaults of their CRDs. */
export function withGatewayDefaults(object: Manifest): Manifest {
  const { spec = {} } = object;
  const listeners = each(spec.listeners, ({ tls, ...listener }) => ({
    ...listener,
    ...(tls && {
      tls: { ...tls, certificateRefs: each(tls.certificateRefs, (ref) => ({ ...toSecret, ...ref })) },
    }),
  }));
  const parentRefs = each(spec.parentRefs, (ref) => ({ ...toGateway, ...ref }));
  const rules = each(spec.rules, (rule) =>
    present({
      matches: [rootPath],
      ...rule,
      backendRefs: each(rule.backendRefs, (ref) => ({ ...toService, ...ref })),
    }),
  );
  return { ...object, spec: { ...spec, ...present({ listeners, parentRefs, rules }) } };
}
