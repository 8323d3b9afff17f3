# Built with its compiler, run without: what ships is node, the built program and its few packages.
FROM node:20-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
RUN npm install --global npm@11
WORKDIR /switchboard
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /switchboard
COPY --from=build /switchboard/package.json /switchboard/schema.graphql ./
COPY --from=build /switchboard/node_modules node_modules
COPY --from=build /switchboard/dist dist
# The database of a single machine; several machines use DATABASE_URL=postgres://… instead.
RUN mkdir data && chown node:node data
VOLUME /switchboard/data
USER node
EXPOSE 4000
# Ready, and not only alive: a container whose disk is full must not get requests.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM is answered within ten seconds.
STOPSIGNAL SIGTERM
CMD ["node", "dist/cli.js", "serve"]
