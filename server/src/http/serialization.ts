import fastJson from "fast-json-stringify";
import type { FastifyInstance } from "fastify";

/**
 * Answers are written by their schemas. The writer of a schema is made at the first answer that needs
 * it: there are hundreds, and making them all took a fifth of the time that the server needs to start.
 */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let write: ReturnType<typeof fastJson> | undefined;
    return (answer) => {
      write ??= fastJson(schema as object);
      return write(answer);
    };
  });
}
