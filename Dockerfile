# Ute as one image: what a process does, its ROLE says (api/operate/processes.md). compose.yaml builds it and brings what it needs.
FROM oven/bun:1.4.4-slim
WORKDIR /ute
COPY package.json bun.lock tsconfig.json ./
COPY api ./api
COPY core ./core
COPY migrations ./migrations
COPY projections ./projections
COPY site ./site
RUN bun run build && install -d -o bun -g bun .data
USER bun
EXPOSE 4321
CMD ["bun", "run", "start"]
