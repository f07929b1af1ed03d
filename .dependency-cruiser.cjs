// The module boundaries of docs/style.md, checked on the build output (decision 0012). It has no type imports. They
// cannot cross packages without a declared dependency, because every package is a separate TypeScript project, and
// Biome finds their cycles within a package (noImportCycles in biome.json).

/** The folders of shared/, from the bottom up: each imports only folders before it. */
const sharedFolders = [
  'errors',
  'v8',
  'metrics',
  'tracing',
  'config',
  'process',
  'crypto',
  'mail',
  'http',
  'csv',
  'database',
  'grpc',
  'auth',
  'events',
  'audit',
  'projections',
  'service',
  'personalData',
  'files',
  'zip',
  // One layer: the settings of an item and its questions decide about the grading of its submissions, and graders see both.
  '(grading|items|questions)',
  'annotatedPdf',
  'retention',
  'teaching',
  'submissions',
];
// Shared by tracing/ and the metrics of http/. They depend only on Express' types.
const requestProperties = '^shared/dist/http/(afterResponse|requestId|route)\\.js$';

const sharedLayers = sharedFolders.slice(0, -1).map((folder, index) => ({
  name: `shared-${folder}-imports-only-folders-below`,
  comment:
    'The list sharedFolders has the order. Move what the lower folder needs, or pass it as a parameter.',
  severity: 'error',
  from: { path: `^shared/dist/${folder}/` },
  to: { path: `^shared/dist/(${sharedFolders.slice(index + 1).join('|')})/`, pathNot: requestProperties },
}));

module.exports = {
  forbidden: [
    ...sharedLayers,
    {
      name: 'shared-folders-are-ordered',
      comment: 'Add the folder to sharedFolders.',
      severity: 'error',
      from: {},
      to: { path: '^shared/dist/', pathNot: `^shared/dist/(${sharedFolders.join('|')})/` },
    },
    {
      name: 'no-imports-between-services',
      comment:
        'Services are deployed independently: a service imports only shared/, proto/ and its own files.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(services|gateway|local|bench|test)/', pathNot: '^services/$1/' },
    },
    {
      name: 'gateway-imports-no-service',
      comment: 'The gateway addresses services by URL and by the route table.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^(services|local|bench|test)/' },
    },
    {
      name: 'shared-imports-no-process',
      comment: 'The packages that all processes import depend on none of them.',
      severity: 'error',
      from: { path: '^(shared|proto)/' },
      to: { path: '^(services|gateway|local|bench|test)/' },
    },
    {
      name: 'domain-imports-no-http-and-no-data-library',
      comment:
        'Use cases and rules receive their dependencies as parameters; only http/, grpc/ and data/ use these libraries.',
      severity: 'error',
      from: { path: '^services/[^/]+/dist/(|[^/]+/)domain/' },
      to: {
        path: 'node_modules/(express|multer|http-proxy-middleware|@grpc|amqplib|pg|pg-boss|sequelize|umzug)/|/dist/(|[^/]+/)(http|grpc)/',
      },
    },
    {
      name: 'data-imports-no-callers',
      comment: 'Use cases and routes call repositories, never the reverse.',
      severity: 'error',
      from: { path: '^services/[^/]+/dist/(|[^/]+/)data/' },
      to: { path: '^services/[^/]+/dist/(|[^/]+/)(http|grpc|events|clients)/' },
    },
    {
      name: 'no-cycles',
      comment: 'Merge two files that import each other, or move the common part to a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-dependencies',
      comment: 'An imported package must be in the package.json of the importing workspace.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-unresolved-imports',
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
