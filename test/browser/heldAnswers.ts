import type { Page, Route } from 'playwright-core';

/** Answers of a slow network, which arrive when the test says so. */
export interface HeldAnswers {
  /** The requests that wait, the oldest first. */
  waiting: { url: string; body: string | null }[];
  /** Releases one, by its position. */
  release(place: number): Promise<void>;
  /** Releases all, and holds no more. */
  releaseAll(): Promise<void>;
}

/** Holds the answers to the requests of a page that match. The service has answered by then, as in a slow network. */
export async function holdAnswers(page: Page, method: string, path: RegExp): Promise<HeldAnswers> {
  const held: { route: Route; answered: ReturnType<Route['fetch']> }[] = [];
  const waiting: HeldAnswers['waiting'] = [];
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
    // The page may have given the request up.
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
