# The collector with its viewer, and the demo agent. See docs/docker.md.

FROM node:24-bookworm-slim AS build
WORKDIR /graphmind
COPY . .
RUN node scripts/setup.mjs && npm ci --prefix examples/demo-agent --no-audit --no-fund

FROM node:24-bookworm-slim AS demo-agent
COPY --from=build /graphmind /graphmind
COPY docker/with-token.sh /usr/local/bin/with-token
WORKDIR /graphmind/examples/demo-agent
USER node
ENTRYPOINT ["sh", "/usr/local/bin/with-token"]
CMD ["node", "agent.mjs"]

# Last, so that it is what `docker build .` gives. The bundle brings all it needs: nothing is installed here.
FROM node:24-bookworm-slim AS collector
COPY --from=build /graphmind/collector/package.json /graphmind/package.json
COPY --from=build /graphmind/collector/bin /graphmind/bin
COPY --from=build /graphmind/collector/bundle /graphmind/bundle
COPY --from=build /graphmind/collector/demo /graphmind/demo
COPY --from=build /graphmind/collector/skill /graphmind/skill
COPY --from=build /graphmind/collector/viewer-dist /graphmind/viewer-dist
COPY --from=build /graphmind/collector/viewer-recorded /graphmind/viewer-recorded
COPY docker/with-token.sh /usr/local/bin/with-token
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
ENV GRAPHMIND_DB=/data/graphmind.db GRAPHMIND_HOST=0.0.0.0
EXPOSE 4747 4317 4318
HEALTHCHECK --interval=2s --timeout=2s --start-period=10s --retries=15 CMD ["node", "-e", "fetch('http://127.0.0.1:4747/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["sh", "/usr/local/bin/with-token"]
CMD ["node", "/graphmind/bin/graphmind.js", "serve", "--no-open"]
