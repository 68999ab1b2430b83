# syntax=docker/dockerfile:1
# The console, and the commands for the person who runs it (backup, restore, verify-ledger, reconcile).

FROM node:22-bookworm-slim AS build
WORKDIR /app
# Packages first: they change more rarely than the code. Their install makes the database client from the schema.
COPY package.json package-lock.json ./
COPY prisma ./prisma
RUN npm ci
COPY . .
# Prisma's command line made the database client; running needs no more of it (200 MB).
RUN npm run build && npm prune --omit=dev && npm uninstall --no-save --omit=dev --ignore-scripts prisma

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/tsconfig.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/app ./app
COPY --from=build /app/public ./public
COPY --from=build /app/build ./build
# What is kept until the database is back, or the embedded database itself: a volume, or it goes with the container.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would not pass SIGTERM on.
CMD ["node", "build/index.js"]
