import type { FastifyRequest } from "fastify";
import type { FieldErrors } from "../errors.ts";
import type { Fact } from "../texts/fact.ts";
import { declaredNames, snakeFact, snakeFields } from "../wire/v2/snake-errors.ts";

interface Words {
  fact(fact: Fact): Fact;
  fields(fields: FieldErrors): FieldErrors;
}

const LEGACY: Words = { fact: (fact) => fact, fields: (fields) => fields };
const known = new WeakMap<object, Words>();

/** How the endpoint's family words what verbs say about fields, which they do in legacy's words. */
export function wordsOf(request: FastifyRequest): Words {
  const { config, schema } = request.routeOptions;
  if (config.family !== "v2" || !schema) return LEGACY;
  let words = known.get(schema);
  if (!words) {
    const declared = declaredNames([schema.querystring, schema.body]);
    words = {
      fact: (fact) => snakeFact(fact, declared),
      fields: (fields) => snakeFields(fields, declared),
    };
    known.set(schema, words);
  }
  return words;
}
