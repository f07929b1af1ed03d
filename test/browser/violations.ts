import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

interface Scope {
  /** A selector of the part of the page. */
  only?: string;
  rules?: 'all' | 'colours';
}

/** What axe finds on a page as it stands: a line for each place. */
export async function violations(
  page: Page,
  { only = 'html', rules = 'all' }: Scope = {},
): Promise<string[]> {
  // A colour on its way to another is neither.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  // React Aria makes nodes for what it announces, which name their element also after that one is gone, for seven seconds.
  const builder = new AxeBuilder({ page }).include(only).exclude('[data-live-announcer]');
  if (rules === 'colours') builder.withTags('cat.color');
  const { violations: found } = await builder.analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} at ${target.join(' ')} · ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}
