import { type Static, Type } from "typebox";
import type { DomainInput } from "../../monitor/settings.ts";
import { DomainCreate, DomainUpdate, readDomainInput } from "../legacy/domain-input.ts";
import { fromSnake, snakeSchema } from "./snake-case.ts";

/** PUT /v2/domains/{uuid}: any subset. */
export const V2DomainUpdate = snakeSchema(DomainUpdate);

/** POST /v2/domains: unlike legacy, the name is required. */
export const V2DomainCreate = Type.Unsafe({
  ...snakeSchema(DomainCreate),
  required: ["name", "url"],
});

/** The body in the verbs' terms. */
export const readV2DomainInput = (body: unknown): DomainInput =>
  readDomainInput(fromSnake<Static<typeof DomainUpdate>>(DomainUpdate, body));
