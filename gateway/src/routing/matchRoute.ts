import type { Route } from './routeTable.ts';

/** The route of a request or, if there is none, the methods that its path supports. */
export type Match = { route: Route } | { route?: undefined; allowed: string[]; open: boolean };

interface Node {
  children: Map<string, Node>;
  parameter?: Node;
  routes: Route[];
}

/**
 * Matches raw paths segment by segment, without decoding, merging or resolving anything, so that no other spelling of a path
 * reaches a service (decision 0007). A fixed segment takes precedence over a parameter.
 */
export function createRouteMatcher(table: Route[]): (method: string, path: string) => Match {
  const root = newNode();
  for (const route of table) {
    let node = root;
    for (const segment of route.path.split('/').slice(1)) node = childFor(node, segment);
    node.routes.push(route);
  }

  return (method, path) => {
    const routes = find(root, path.split('/'), 1)?.routes ?? [];
    const wanted = method === 'HEAD' ? 'GET' : method;
    const route = routes.find((candidate) => candidate.method === wanted);
    return route
      ? { route }
      : { allowed: allowedMethods(routes), open: routes.some((each) => each.open === true) };
  };
}

const newNode = (): Node => ({ children: new Map(), routes: [] });

function childFor(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const child = node.children.get(segment) ?? newNode();
  node.children.set(segment, child);
  return child;
}

function find(node: Node, segments: string[], index: number): Node | undefined {
  const segment = segments[index];
  if (segment === undefined) return node;
  const fixed = node.children.get(segment);
  const found = fixed && find(fixed, segments, index + 1);
  if (found && found.routes.length > 0) return found;
  return node.parameter && isParameter(segment) ? find(node.parameter, segments, index + 1) : undefined;
}

const isParameter = (segment: string): boolean => segment !== '' && segment !== '.' && segment !== '..';

const allowedMethods = (routes: Route[]): string[] =>
  routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
