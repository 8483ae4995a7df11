import type { FastifyRequest } from "fastify";
import type { FieldErrors } from "../errors.ts";
import { declaredNames, snakeFields, snakeSentence } from "../wire/v2/snake-errors.ts";

interface Words {
  sentence(sentence: string): string;
  fields(fields: FieldErrors): FieldErrors;
}

const LEGACY: Words = { sentence: (sentence) => sentence, fields: (fields) => fields };
const known = new WeakMap<object, Words>();

/** How the endpoint's family words what verbs say about fields, which they do in legacy's words. */
export function wordsOf(request: FastifyRequest): Words {
  const { config, schema } = request.routeOptions;
  if (config.family !== "v2" || !schema) return LEGACY;
  let words = known.get(schema);
  if (!words) {
    const declared = declaredNames([schema.querystring, schema.body]);
    words = {
      sentence: (sentence) => snakeSentence(sentence, declared),
      fields: (fields) => snakeFields(fields, declared),
    };
    known.set(schema, words);
  }
  return words;
}
