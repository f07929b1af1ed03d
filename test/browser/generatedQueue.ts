import { randomUUID } from 'node:crypto';
import { checkResponse } from '@gradeway/test/openApi';
import type { Page } from 'playwright-core';
import type { GradingScene } from './gradingScene.ts';

/** The values of a row that a test may set. */
export interface GeneratedRow {
  name?: string;
  email?: string;
  status?: 'ungraded' | 'graded';
  claimedBy?: string;
  flags?: ('start_mismatch' | 'no_recorded_start')[];
}

export interface GeneratedQueue {
  /** The cursors of the pages that were loaded, as the numbers of their first rows. */
  pagesRead: number[];
}

const sent = (position: number) =>
  new Date(Date.UTC(2026, 8, 1) + position * 61_000).toISOString().replace('.000', '');

const localTime = (position: number) => sent(position).replace('T', ' ').replace('Z', '');

function rowOf(position: number, { name, email, status = 'ungraded', claimedBy, flags = [] }: GeneratedRow) {
  const isGraded = status === 'graded';
  return {
    id: position + 1,
    student: {
      id: position + 1,
      name: name ?? `Student ${String(position + 1).padStart(6, '0')}`,
      email: email ?? `s${position + 1}@school.example`,
    },
    submitted_at: sent(position),
    submitted_by: null,
    status,
    grade: isGraded ? 7.25 : null,
    total_grade: isGraded ? 10 : null,
    final_grade: isGraded ? 7.25 : null,
    late: null,
    graded_by: isGraded ? { id: 7, name: 'Emmy Noether' } : null,
    graded_at: isGraded ? sent(position + 60) : null,
    claimed_by: claimedBy === undefined ? null : { id: 8, name: claimedBy },
    claimed_until: claimedBy === undefined ? null : sent(position + 2),
    flags: flags.map((code) => ({
      code,
      claimed_start_at: localTime(position),
      recorded_start_at: code === 'start_mismatch' ? localTime(position + 1) : null,
    })),
  };
}

/**
 * Responds to a page's requests for the submissions of an item with generated rows. Each response is checked against
 * the OpenAPI document, like the service's responses. All other responses are real.
 */
export async function generateQueue(
  page: Page,
  { kind, itemId }: GradingScene,
  count: number,
  describeRow: (position: number) => GeneratedRow = () => ({}),
): Promise<GeneratedQueue> {
  const path = `/api/v3/grading/${kind}/${itemId}/submissions`;
  const pagesRead: number[] = [];
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const url = new URL(route.request().url());
      const size = Number(url.searchParams.get('per_page') ?? 50);
      const first = Number(url.searchParams.get('cursor') ?? 0);
      const length = Math.max(0, Math.min(size, count - first));
      const data = Array.from({ length }, (_, index) => rowOf(first + index, describeRow(first + index)));
      if (size > 1) pagesRead.push(first);
      url.searchParams.set('cursor', String(first + size));
      const links = { next: first + size < count ? url.href : null };
      const graded = data.filter(({ status }) => status === 'graded').length;
      const body = { data, links, meta: { per_page: size, total: count, graded } };
      const headers = new Headers({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': randomUUID(),
      });
      checkResponse({ method: 'GET', path, status: 200, headers, body });
      await route.fulfill({ json: body });
    },
  );
  return { pagesRead };
}
