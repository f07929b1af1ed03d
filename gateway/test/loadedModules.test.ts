import { modulesOfGateway, packageOf } from '@gradeway/test/loadedModules';
import { expect, test } from 'vitest';

const unreachable = '127.0.0.1:9';

const settings = {
  SERVICE_SECRET: 'x'.repeat(20),
  LOG_LEVEL: 'silent',
  AUTH_GRPC: unreachable,
  JWKS_URL: `http://${unreachable}/jwks.json`,
};

// Only services need these, or RATE_LIMIT_URL; each costs start-up time and memory.
const unneeded = [
  'sequelize',
  'pg-boss',
  '@aws-sdk/client-s3',
  'multer',
  'pdfjs-dist',
  'umzug',
  'zod',
  'ioredis',
];

const brokers = [
  { broker: 'RabbitMQ', eventsUrl: { EVENTS_URL: `amqp://${unreachable}` }, clients: ['amqplib'] },
  // Listening to the embedded broker requires a connection to PostgreSQL, but not pg-boss.
  {
    broker: 'the embedded broker',
    eventsUrl: { EVENTS_URL: `postgres://${unreachable}/gradeway` },
    clients: ['pg'],
  },
  { broker: 'no broker', eventsUrl: {}, clients: [] },
];

test.each(brokers)(
  'with $broker the gateway loads no library of the services',
  async (each) => {
    const modules = await modulesOfGateway({ ...settings, ...each.eventsUrl });
    const packages = new Set(modules.map(packageOf));
    expect(packages).toContain('express');
    expect(unneeded.filter((name) => packages.has(name))).toEqual([]);
    expect(['amqplib', 'pg'].filter((name) => packages.has(name))).toEqual(each.clients);
    // The browser code of Swagger UI, which is only served.
    expect(modules.filter((url) => url.includes('swagger-ui-bundle'))).toEqual([]);
  },
  60_000,
);
