import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { embeddedBrokerUrl, publishAgain, publishPoison, withBroker } from './messages.ts';
import { openSchool, type School } from './school.ts';
import { inspectLocalSystem } from './system.ts';

describe.each(hasRabbit ? ['embedded broker', 'RabbitMQ'] : ['embedded broker'])('with %s', (on) => {
  let rabbit: Rabbit | undefined;
  let system: LocalSystem;
  let school: School;
  beforeAll(async () => {
    rabbit = on === 'RabbitMQ' ? await startRabbit() : undefined;
    const env = { RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' };
    system = await startLocalSystem(rabbit ? { ...env, EVENTS_URL: rabbit.url } : env);
    school = await openSchool(inspectLocalSystem(system));
  });
  afterAll(async () => {
    await system?.remove();
    await rabbit?.stop();
  });
  const brokerUrl = () => rabbit?.url ?? embeddedBrokerUrl(system);

  test('a message that no consumer can apply becomes a dead letter, and nothing acknowledged is lost', async () => {
    await runFault(school, {
      on,
      name: 'poison message',
      make: async () => withBroker(await brokerUrl(), publishPoison),
    });
  });

  test('messages delivered five times and out of order change nothing', async () => {
    await runFault(school, {
      on,
      name: 'messages delivered five times, out of order',
      make: async () => withBroker(await brokerUrl(), (broker) => publishAgain(broker, school.system)),
    });
  });
});
