// The boundaries of the house (design.md), checked on what was built: types alone bind nobody, and a type of
// another service cannot be imported at all, since every folder is a TypeScript project of its own.
module.exports = {
  forbidden: [
    {
      name: 'services-are-strangers',
      comment:
        'Teams deploy services independently: a service imports shared/, proto/ and itself, nothing else.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(services|gateway|local|bench|test)/', pathNot: '^services/$1/' },
    },
    {
      name: 'gateway-knows-no-service',
      comment: 'The gateway knows services by address and by the route table.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^(services|local|bench|test)/' },
    },
    {
      name: 'shared-knows-nobody',
      comment: 'What all of them need depends on none of them.',
      severity: 'error',
      from: { path: '^(shared|proto)/' },
      to: { path: '^(services|gateway|local|bench|test)/' },
    },
    {
      name: 'domain-imports-no-http-and-no-data-library',
      comment:
        'Use cases and rules are handed what they need; routes and queries are the business of http/ and data/.',
      severity: 'error',
      from: { path: '^services/[^/]+/dist/(|[^/]+/)domain/' },
      to: {
        path: 'node_modules/(express|multer|http-proxy-middleware|@grpc|amqplib|pg|pg-boss|sequelize|umzug)/|/dist/(|[^/]+/)(http|grpc)/',
      },
    },
    {
      name: 'data-knows-no-callers',
      comment: 'Repositories are called by use cases and routes, not the other way round.',
      severity: 'error',
      from: { path: '^services/[^/]+/dist/(|[^/]+/)data/' },
      to: { path: '^services/[^/]+/dist/(|[^/]+/)(http|grpc|events|clients)/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-what-is-declared',
      comment: 'A package is in the package.json of whoever imports it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'everything-is-found',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/generated/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'node'] },
  },
};
