import type { FastifyInstance } from "fastify";

/** JSON bodies, refusing `__proto__`; an empty body with a JSON content type counts as no body. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") return done(null, undefined);
    return parse(request, body as string, done);
  });
}
