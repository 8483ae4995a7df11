import type { FastifyRequest } from "fastify";
import { bareHost } from "../config-values.ts";

/** The host of the request's Host header, lower case: without its port, an IPv6 address without its brackets; empty for nonsense. */
export const requestedHost = (request: FastifyRequest): string =>
  bareHost(URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "");
