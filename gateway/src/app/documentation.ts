import { recordRoute } from '@gradeway/shared/http/route';
import { Router, static as serveStatic } from 'express';
// The main module would also load the browser bundle of 2 MB.
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Gradeway API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/api/v3/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

// Swagger UI uses inline styles and data URLs for images.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

/** The machine-readable documents of the API, as JSON text. */
export interface Documents {
  openApi: string;
  asyncApi: string;
}

/** The paths of the documentation. */
export const documentPaths = ['/docs', '/api/v3/openapi.json', '/api/v3/asyncapi.json'];

/** Serves the documents of the API and, at `/docs`, Swagger UI, without external resources. */
export function documentation({ openApi, asyncApi }: Documents): Router {
  const router = Router();
  const serve = (path: string, text: string) =>
    router.get(path, (_req, res) => {
      res.type('application/json').set('Cache-Control', 'public, max-age=300').send(text);
    });
  serve('/api/v3/openapi.json', openApi);
  serve('/api/v3/asyncapi.json', asyncApi);
  router.use('/docs', (_req, res, next) => {
    recordRoute(res, '/docs/*');
    res.set('Content-Security-Policy', policy);
    next();
  });
  router.get('/docs', (_req, res) => res.type('html').send(page));
  router.get('/docs/start.js', (_req, res) => res.type('text/javascript').send(start));
  router.use('/docs', serveStatic(swaggerUiPath(), { index: false, maxAge: '1h' }));
  return router;
}
