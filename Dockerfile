# The embedded database needs glibc 2.36 (x64) or 2.38 (arm64). Debian trixie has it, Alpine does not.
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY client client
COPY engine engine
COPY server server
COPY workers workers
COPY cli cli
COPY scripts/copy-documentation-page.ts scripts/
RUN npm run build

FROM node:24-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=1337 DATA_DIR=/data \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY quire.small.json ./
# `quire init` copies these folders into a project.
COPY template template
COPY schema schema
COPY --from=build /app/dist/documentation-page dist/documentation-page
COPY --from=build /app/dist/engine dist/engine
COPY --from=build /app/dist/server dist/server
COPY --from=build /app/dist/workers dist/workers
COPY --from=build /app/dist/cli dist/cli
RUN chmod +x dist/cli/quire.js && ln -s /app/dist/cli/quire.js /usr/local/bin/quire
# The number of the user `node`. Kubernetes can check that a number is not root, but not a name.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 1337
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/_health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm, so that the process itself gets the signals.
CMD ["node", "--max-semi-space-size=16", "dist/server/main.js"]
