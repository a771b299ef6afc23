# One image for every app; the command chooses which:
# node dist/apps/<all|api|worker|admin|sandbox>/main.js
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/subscriber/package.json ./packages/subscriber/
COPY examples/fulfilment/package.json ./examples/fulfilment/
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps ./apps
COPY libs ./libs
COPY packages ./packages
COPY examples ./examples
COPY migrations ./migrations
COPY tools ./tools
COPY bench ./bench
COPY docs/generated/openapi.admin.json ./docs/generated/
RUN npm run build

FROM build AS pruned
RUN npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=pruned --chown=node:node /app/package.json ./package.json
COPY --from=pruned --chown=node:node /app/node_modules ./node_modules
COPY --from=pruned --chown=node:node /app/packages ./packages
COPY --from=pruned --chown=node:node /app/examples ./examples
COPY --from=pruned --chown=node:node /app/dist ./dist
USER node
CMD ["node", "--enable-source-maps", "dist/apps/all/main.js"]
