import type { FastifyInstance } from "fastify";
import helmet from "helmet";
import type { Config } from "../config.ts";

/**
 * Adds helmet's headers to every answer. They are the same for each, so helmet is asked once. And nobody keeps a copy of what
 * does not say that they may: caches of proxies go by the end of an address, such as `.csv`, and by no cookie.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = { ...securityHeaders(config), "cache-control": "no-store" };
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Helmet's headers, which are the same for every answer. */
export function securityHeaders(config: Config): Record<string, string> {
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        // Charts and the API browser set style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Of this host only: what else stands below its name is not ours to decide.
    strictTransportSecurity: config.publicUrl?.startsWith("https:")
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    xFrameOptions: { action: "deny" },
  });
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  apply({} as never, answer as never, () => {});
  return headers;
}
