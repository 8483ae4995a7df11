import type { FastifyInstance } from "fastify";

const MAX_FORM_BYTES = 65_536;

/** Within `scope` what a form of a page sends is read as URLSearchParams. */
export function readForms(scope: FastifyInstance): void {
  const options = { parseAs: "string", bodyLimit: MAX_FORM_BYTES } as const;
  scope.addContentTypeParser("application/x-www-form-urlencoded", options, (_request, body: string, done) =>
    done(null, new URLSearchParams(body)),
  );
  // Nothing of ours sends it; mail programs may, with nothing in it that anybody reads (RFC 8058, 3.1).
  scope.addContentTypeParser("multipart/form-data", options, (_request, _body, done) =>
    done(null, new URLSearchParams()),
  );
}

/** The first value of a field of a form; empty where there is none. */
export const fieldOf = (body: unknown, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? "") : "";

/** All values of a field. */
export const fieldsOf = (body: unknown, name: string): string[] =>
  body instanceof URLSearchParams ? body.getAll(name) : [];
