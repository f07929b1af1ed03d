import { QueryClient } from '@tanstack/react-query';
import { LoggedOut } from '../access/session.ts';
import { isPassing } from './apiError.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 120_000,
      retry: (failures, error) => failures < 2 && isPassing(error) && !(error instanceof LoggedOut),
      refetchOnWindowFocus: false,
      // Without a network a request fails, and the page says so, instead of waiting for ever.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
