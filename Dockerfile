# syntax=docker/dockerfile:1
FROM node:24-trixie-slim AS build
WORKDIR /srv/pagewright
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY src src
COPY harness/package harness/package
# The service takes less memory as JavaScript.
RUN node harness/package/build-package.ts --service

FROM debian:trixie-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin pagewright \
  && install --directory --owner=pagewright --mode=0700 /data
WORKDIR /srv/pagewright
COPY --from=build /srv/pagewright/node_modules node_modules
COPY package.json app.yml LICENSE ./
COPY bin bin
COPY --from=build /srv/pagewright/dist dist
RUN ln -s /srv/pagewright/bin/pagewright /usr/local/bin/pagewright
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001
VOLUME /data
EXPOSE 3000
# A stop may take 30 s: docker stop --time 60, as in compose.yaml.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/srv/pagewright/node_modules/node/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["pagewright"]
CMD ["start"]
