import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { type RabbitCluster, startRabbitCluster } from '@gradeway/test/rabbitCluster';
import { hasRabbit } from '@gradeway/test/rabbitmq';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { openSchool, type School } from './school.ts';
import { inspectLocalSystem } from './system.ts';

// rabbit.test.ts fails in CI, and warns elsewhere, if RabbitMQ is not installed.
describe.skipIf(!hasRabbit)('with three nodes of RabbitMQ', () => {
  let cluster: RabbitCluster;
  let system: LocalSystem;
  let school: School;
  beforeAll(async () => {
    cluster = await startRabbitCluster();
    system = await startLocalSystem({
      EVENTS_URL: cluster.url,
      RATE_LIMIT_PER_MINUTE: '0',
      LOGIN_LIMIT_PER_ADDRESS: '0',
    });
    school = await openSchool(inspectLocalSystem(system));
  }, 300_000);
  afterAll(async () => {
    await system?.remove();
    await cluster?.stop();
  });

  const areWhole = async () => {
    const queues = await cluster.queues();
    return queues.length > 0 && queues.every(({ online }) => online.length === 3);
  };

  test('nothing acknowledged is lost when the node that serves all processes and leads their queues is killed under load', async () => {
    const [first] = cluster.nodes;
    await waitFor(areWhole, 60_000, 1_000);
    const leaders = new Set((await cluster.queues()).map(({ leader }) => leader));
    expect([...leaders]).toEqual([first.node]);

    await runFault(school, {
      on: 'RabbitMQ with three nodes',
      name: 'kill -9 the node that leads the queues',
      async make(load) {
        await first.kill();
        await load.journeys(8);
      },
      async afterwards() {
        const queues = await cluster.queues();
        for (const { name, leader } of queues) expect(leader, name).not.toBe(first.node);
      },
    });

    await first.restart();
    await waitFor(areWhole, 60_000, 1_000);
  });
});
