# One image for every app; the command chooses which:
# node dist/programs/<all|api|worker|admin>.js
# The provider sandbox, for development, is an image of its own: docker build --target sandbox
# It runs as the user `node`, and writes nothing: give it a read-only root file system.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
COPY packages/subscriber/package.json ./packages/subscriber/
COPY packages/client-ts/package.json ./packages/client-ts/
COPY examples/fulfilment/package.json ./examples/fulfilment/
COPY apps/sandbox/package.json ./apps/sandbox/
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps ./apps
COPY libs ./libs
COPY packages ./packages
COPY examples ./examples
COPY migrations ./migrations
COPY tools ./tools
COPY bench ./bench
COPY docs/generated ./docs/generated
RUN npm run build

FROM base AS app
ENV NODE_ENV=production
# By default, the C library keeps free memory separately for each thread.
ENV MALLOC_ARENA_MAX=1
# The programs contain their packages, except those that load files of their own. In dist/programs,
# packages.cdx.json names the packages for scanners, and a file has their licenses.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules/@node-rs ./node_modules/@node-rs
COPY --from=build /app/node_modules/diacritics ./node_modules/diacritics
COPY --from=build /app/node_modules/i18n-iso-countries ./node_modules/i18n-iso-countries
COPY --from=build /app/node_modules/swagger-ui-dist ./node_modules/swagger-ui-dist
COPY --from=build /app/dist/programs ./dist/programs
# The pages of the sandbox, the console, and the documents of the APIs.
COPY --from=build /app/dist/apps ./dist/apps
COPY --from=build /app/dist/docs ./dist/docs
USER node

FROM app AS sandbox
ENV NODE_ENV=development
ENV HOST=0.0.0.0
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD node dist/programs/health.js "${SANDBOX_PORT:-4103}"
CMD ["node", "--enable-source-maps", "--max-old-space-size=256", "--max-semi-space-size=6", "dist/programs/sandbox.js"]

FROM app
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD node dist/programs/health.js "${API_PORT:-4100}"
CMD ["node", "--enable-source-maps", "--max-old-space-size=256", "--max-semi-space-size=6", "dist/programs/all.js"]
