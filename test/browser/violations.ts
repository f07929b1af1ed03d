import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

interface Scope {
  /** The selector of the part of the page to check. */
  only?: string;
  rules?: 'all' | 'colours';
}

/** Returns axe's findings on the current page, one line for each element. */
export async function violations(
  page: Page,
  { only = 'html', rules = 'all' }: Scope = {},
): Promise<string[]> {
  // A colour in transition has no final contrast.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  // For seven seconds, React Aria keeps the nodes of its announcements, which refer to elements that may be gone.
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
