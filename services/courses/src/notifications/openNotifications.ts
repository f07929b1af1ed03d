import { ConfigError, type ConfigOf } from '@gradeway/shared/config/readConfig';
import type { Broker } from '@gradeway/shared/events/broker';
import { consumeIdempotently } from '@gradeway/shared/events/consumeEvents';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { openMailTransport } from '@gradeway/shared/mail/mailTransport';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from '../clients/authClient.ts';
import type { mailSettings } from './config.ts';
import { FactRepository } from './data/factRepository.ts';
import { MessageRepository } from './data/messageRepository.ts';
import { OutcomeRepository } from './data/outcomeRepository.ts';
import { PreferenceRepository } from './data/preferenceRepository.ts';
import { purgeMessages } from './data/purgeMessages.ts';
import { QueueRepository } from './data/queueRepository.ts';
import { ScheduleRepository } from './data/scheduleRepository.ts';
import { measureMail } from './delivery/mailMetrics.ts';
import { maxConcurrent, startMailWorker } from './delivery/mailWorker.ts';
import type { NotificationDependencies } from './dependencies.ts';
import { applyEvents } from './events/applyEvents.ts';

const remindEveryMs = 20_000;
const purgeEveryMs = 3_600_000;

type Config = ConfigOf<typeof mailSettings> & { publicUrl: string | undefined; timeZone: string };
type Context = ProcessContext<Config>;

interface Shared {
  sequelize: Sequelize;
  broker: Broker;
  auth: AuthClient;
  clock: Clock;
}

/**
 * Sets up the messages to students and teachers: turns events into messages, and sends them. The two sides share only the tables.
 * Without a mail server, events are discarded.
 * @throws ConfigError without `PUBLIC_URL`, which the links in messages need
 */
export async function openNotifications(context: Context, shared: Shared): Promise<NotificationDependencies> {
  const { config, log, onStop } = context;
  const { sequelize, broker } = shared;
  const { smtpUrl, publicUrl } = config;
  if (smtpUrl !== undefined && publicUrl === undefined)
    throw new ConfigError(['PUBLIC_URL is required with SMTP_URL, for the links in messages']);
  const messages = new MessageRepository(sequelize, config.mailGradesDelay);
  const preferences = new PreferenceRepository(sequelize);
  const wake =
    smtpUrl !== undefined && publicUrl !== undefined
      ? startSending(context, shared, { smtpUrl, publicUrl, preferences })
      : undefined;
  const stopConsuming = await consumeIdempotently({
    consumer: 'courses-mail',
    broker,
    log,
    async applyAll(events) {
      if (!wake) return;
      await applyEvents({ sequelize, messages }, events);
      wake();
    },
  });
  onStop('the event consumer of the mail', stopConsuming);
  return { sequelize, preferences };
}

interface Sending {
  smtpUrl: string;
  publicUrl: string;
  preferences: PreferenceRepository;
}

/** Starts what sends messages. Returns a function that makes it check for new messages. */
function startSending(
  { config, log, onStop }: Context,
  { sequelize, auth, clock }: Shared,
  { smtpUrl: url, publicUrl, preferences }: Sending,
): () => void {
  const schedule = new ScheduleRepository(sequelize);
  const timeoutMs = config.mailTimeout;
  const transport = openMailTransport({
    ...{ url, from: config.mailFrom, maxConnections: maxConcurrent, timeoutMs },
  });
  onStop('the connections to the mail server', () => transport.close());
  const worker = startMailWorker({
    ...{ schedule, preferences, transport, auth, timeoutMs, log },
    queue: new QueueRepository(sequelize),
    outcomes: new OutcomeRepository(sequelize),
    facts: new FactRepository(sequelize),
    school: { url: publicUrl, timeZone: config.timeZone },
    digestTime: { at: config.digestAt, clock },
    retryPolicy: { schedule: config.mailRetrySchedule, giveUpAfterMs: config.mailGiveUpAfter },
    perMinute: config.mailPerMinute,
  });
  onStop('the sending of mail', () => worker.stop());
  onStop('the metrics of mail', measureMail(sequelize));
  onStop(
    'the reminders by mail',
    runEvery({
      everyMs: remindEveryMs,
      startNow: true,
      async task(signal) {
        while ((await schedule.addReminders()) && !signal.aborted);
      },
      log,
      failureMessage: 'could not add reminders by mail',
    }),
  );
  onStop(
    'the purge of mail',
    runEvery({
      everyMs: purgeEveryMs,
      task: (signal) => purgeMessages(sequelize, signal),
      log,
      failureMessage: 'could not purge old mail',
    }),
  );
  return worker.wake;
}
