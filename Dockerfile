# syntax=docker/dockerfile:1
# The console, and the commands for the person who runs it (migrate, backup, restore, verify-ledger, reconcile).
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Packages first: they change more rarely than the code. None of them runs a script of its own here.
COPY package.json package-lock.json ./
COPY prisma ./prisma
RUN npm ci --ignore-scripts && node prisma/generate.js
COPY . .
# Prisma's command line made the database client; running needs no more of it (200 MB).
RUN npm run build && npm prune --omit=dev --ignore-scripts \
  && npm uninstall --no-save --omit=dev --ignore-scripts prisma

FROM ${NODE_IMAGE}
# npm writes its log where a container without a writable disk lets it.
ENV NODE_ENV=production npm_config_cache=/tmp/npm
WORKDIR /app
COPY --from=build /app/package.json /app/tsconfig.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/app ./app
COPY --from=build /app/public ./public
COPY --from=build /app/build ./build
# What is kept until the database is back, or the embedded database itself: a volume, or it goes with the container.
RUN mkdir data /backups /copies && chown node:node data /backups /copies
VOLUME /app/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would not pass SIGTERM on.
CMD ["node", "build/index.js"]
