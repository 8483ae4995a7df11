import type { FastifyRequest } from "fastify";

/** The host of the request's Host header, lower case: without its port, an IPv6 address without its brackets; empty for nonsense. */
export const requestedHost = (request: FastifyRequest): string =>
  (URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "").replace(/^\[(.*)\]$/, "$1");
