import { randomBytes } from 'node:crypto';
import { waitFor } from '@gradeway/test/waitFor';
import type { CoursesService } from './coursesService.ts';

export interface Webhook {
  id: number;
  url: string;
  description: string | null;
  event_types: string[];
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  previous_secret_until: string | null;
  created_at: string;
  secret?: string;
}

export interface Delivery {
  id: number;
  event_id: string;
  event_type: string;
  status: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
}

export const webhooksPath = '/api/v3/admin/webhooks';

/** Short delays, and a receiver on this machine. */
export const webhookEnv = {
  WEBHOOK_ALLOW_HTTP: '1',
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
  WEBHOOK_TIMEOUT: '1s',
  WEBHOOK_RETRY_SCHEDULE: '300ms,300ms',
};

/** Calls to the webhook API. */
export function webhookApi(courses: CoursesService) {
  return {
    async create(fields: Record<string, unknown>): Promise<Webhook & { secret: string }> {
      const { status, body } = await courses.request<{ data: Webhook & { secret: string } }>(
        'POST',
        webhooksPath,
        courses.admin,
        { event_types: ['*'], ...fields },
      );
      if (status !== 201) throw new Error(`creating a webhook returned ${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
    async find(id: number): Promise<Webhook> {
      return (await courses.get<{ data: Webhook }>(`${webhooksPath}/${id}`)).body.data;
    },
    async deliveries(id: number, query = ''): Promise<Delivery[]> {
      const path = `${webhooksPath}/${id}/deliveries?per_page=100${query}`;
      return (await courses.get<{ data: Delivery[] }>(path)).body.data;
    },
    /** Waits until the only delivery of a subscription has a status, and returns it. */
    async waitForStatus(id: number, status: string): Promise<Delivery> {
      let last: Delivery | undefined;
      await waitFor(async () => {
        [last] = await this.deliveries(id);
        return last?.status === status;
      });
      return last as Delivery;
    },
    post: (path: string, body?: unknown) =>
      courses.request('POST', `${webhooksPath}/${path}`, courses.admin, body),
  };
}

/** A random path, unique to the test. */
export const uniquePath = (): string => `/${randomBytes(4).toString('hex')}`;
