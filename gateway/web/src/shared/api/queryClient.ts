import { QueryClient } from '@tanstack/react-query';
import { LoggedOut } from '../session/session.ts';
import { isPassing } from './apiError.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 120_000,
      retry: (failures, error) => failures < 2 && isPassing(error) && !(error instanceof LoggedOut),
      refetchOnWindowFocus: false,
      // Without a network, requests fail and the page shows the error instead of waiting forever.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
