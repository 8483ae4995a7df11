import fastJson from "fast-json-stringify";
import type { FastifyInstance } from "fastify";

type Write = ReturnType<typeof fastJson>;

/** By their schemas: that of a failure is every route's. */
const writers = new WeakMap<object, Write>();

/**
 * Answers are written by their schemas. The writer of a schema is made at the first answer that needs
 * it: there are hundreds, and making them all took a fifth of the time that the server needs to start.
 */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let write: Write | undefined;
    return (answer) => {
      write ??= writerOf(schema as object);
      return write(answer);
    };
  });
}

/** What writes values of the schema as JSON. One for each schema. */
export function writerOf(schema: object): Write {
  const known = writers.get(schema);
  if (known) return known;
  // Which of several shapes a value has is found without formats: ours are unknown there, and each would be a line on stderr.
  const write = fastJson(schema, { ajv: { validateFormats: false } });
  writers.set(schema, write);
  return write;
}
