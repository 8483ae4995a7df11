import type { FastifyInstance } from "fastify";
import { invalidInput } from "../errors.ts";
import { nulProblems } from "../input/nul.ts";

/** JSON bodies, refusing `__proto__` and U+0000; an empty body with a JSON content type counts as no body. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") return done(null, undefined);
    return parse(request, body as string, (error, value) => {
      const problems = !error && body.includes("\\u0000") ? nulProblems(value) : {};
      if (Object.keys(problems).length > 0) return done(invalidInput(problems));
      return done(error, value);
    });
  });
}
