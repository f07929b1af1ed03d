import type { Page, Route } from 'playwright-core';

/** Responses of a slow network, which arrive when the test releases them. */
export interface HeldResponses {
  /** The waiting requests, oldest first. */
  waiting: { url: string; body: string | null }[];
  /** Releases the response at a position. */
  release(place: number): Promise<void>;
  /** Releases all responses and stops holding new ones. */
  releaseAll(): Promise<void>;
}

/** Holds the responses to a page's matching requests. The service has already handled them, as on a slow network. */
export async function holdResponses(page: Page, method: string, path: RegExp): Promise<HeldResponses> {
  const held: { route: Route; answered: ReturnType<Route['fetch']> }[] = [];
  const waiting: HeldResponses['waiting'] = [];
  let isOpen = false;
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      const request = route.request();
      if (isOpen || request.method() !== method) return route.fallback();
      waiting.push({ url: request.url(), body: request.postData() });
      const answered = route.fetch();
      held.push({ route, answered });
      await answered;
    },
  );
  const release = async (place: number) => {
    const [entry] = held.splice(place, 1);
    waiting.splice(place, 1);
    // The page may have aborted the request.
    await entry?.route.fulfill({ response: await entry.answered }).catch(() => {});
  };
  return {
    waiting,
    release,
    releaseAll: async () => {
      isOpen = true;
      while (held.length > 0) await release(0);
    },
  };
}
