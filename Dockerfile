# One image for every app; the command chooses which:
# node dist/apps/<all|api|worker|admin>/main.js
# The provider sandbox, for development, is an image of its own: docker build --target sandbox
# It runs as the user `node`, and writes nothing: give it a read-only root file system.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

FROM base AS manifests
COPY package.json package-lock.json ./
COPY packages/subscriber/package.json ./packages/subscriber/
COPY packages/client-ts/package.json ./packages/client-ts/
COPY examples/fulfilment/package.json ./examples/fulfilment/
COPY apps/sandbox/package.json ./apps/sandbox/

FROM manifests AS build
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

FROM manifests AS packages
RUN npm ci --omit=dev --no-audit --no-fund --ignore-scripts

FROM base AS app
ENV NODE_ENV=production
COPY --from=packages /app ./
COPY --from=build /app/packages/subscriber/dist ./packages/subscriber/dist
COPY --from=build /app/dist ./dist
USER node

FROM app AS sandbox
ENV NODE_ENV=development
ENV HOST=0.0.0.0
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD node dist/tools/health.js "${SANDBOX_PORT:-4103}"
CMD ["node", "--enable-source-maps", "--max-old-space-size=256", "dist/apps/sandbox/main.js"]

FROM app
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD node dist/tools/health.js "${API_PORT:-4100}"
CMD ["node", "--enable-source-maps", "--max-old-space-size=256", "--max-semi-space-size=8", "dist/apps/all/main.js"]
