import { type ApiProxy, startApiProxy } from './apiProxy.ts';

// One per test file; it ends with the process of the tests.
let proxy: Promise<ApiProxy> | undefined;

/**
 * Reads an object or a list from the API server. Used for polling, because a kubectl call takes a third of a second
 * of CPU time away from the pods of a small cluster.
 */
// biome-ignore lint/suspicious/noExplicitAny: each caller reads the few fields that it needs of a Kubernetes object
export async function readApi(path: string, query: Record<string, string> = {}): Promise<any> {
  proxy ??= startApiProxy();
  const { host } = await proxy;
  const response = await fetch(`http://${host}${path}?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

interface Selection {
  labels?: string;
  fields?: string;
}

/** The pods of a namespace. */
export async function listPods(namespace: string, { labels = '', fields = '' }: Selection = {}) {
  const query = { labelSelector: labels, fieldSelector: fields };
  return (await readApi(`/api/v1/namespaces/${namespace}/pods`, query)).items;
}

export const readPod = (namespace: string, name: string) =>
  readApi(`/api/v1/namespaces/${namespace}/pods/${name}`);
