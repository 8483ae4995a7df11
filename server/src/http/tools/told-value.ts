import type { TSchema } from "typebox";
import { writerOf } from "../serialization.ts";
import { withoutFacts } from "./tool-schema.ts";

/** A value as JSON has it: what its schema declares and nothing besides, without the facts that stand beside sentences. */
export const toldValue = <T>(schema: TSchema, value: unknown): T =>
  JSON.parse(writerOf(withoutFacts(schema))(value)) as T;
