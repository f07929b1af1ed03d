import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states.tsx';

interface Props<T> {
  query: { data: T | undefined; error: unknown; refetch(): Promise<unknown> };
  /** Whether the data fills the page, so that the heading of an error is the page's heading. */
  isPage?: boolean;
  children(data: T): ReactNode;
}

/** Shows the data of a query once it is loaded. Data stays visible when a later request fails. */
export function Loaded<T>({ query: { data, error, refetch }, isPage = false, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error) return <ErrorState isPage={isPage} error={error} onRetry={() => void refetch()} />;
  return <Loading />;
}
