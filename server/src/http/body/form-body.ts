import type { FastifyInstance, FastifyRequest } from "fastify";
import { readBody } from "./read-body.ts";

const MAX_FORM_BYTES = 65_536;

/** Within `scope` what a form of a page sends is read as URLSearchParams. */
export function readForms(scope: FastifyInstance): void {
  const read = async (request: FastifyRequest) => (await readBody(request, MAX_FORM_BYTES)).toString();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (request: FastifyRequest) => new URLSearchParams(await read(request)),
  );
  // Nothing of ours sends it; mail programs may, with nothing in it that anybody reads (RFC 8058, 3.1).
  scope.addContentTypeParser("multipart/form-data", async (request: FastifyRequest) => {
    await read(request);
    return new URLSearchParams();
  });
}

/** The first value of a field of a form; empty where there is none. */
export const fieldOf = (body: unknown, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? "") : "";

/** All values of a field. */
export const fieldsOf = (body: unknown, name: string): string[] =>
  body instanceof URLSearchParams ? body.getAll(name) : [];
