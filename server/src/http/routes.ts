import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { registerDomainPage } from "./legacy/domain-page.ts";
import { registerCheckDomain } from "./public/check-domain.ts";
import { registerIcons } from "./public/icons.ts";

/**
 * Every resource of the API, one line each: the table of contents. A file exports
 * `register…(app, ctx)` and calls defineRoute for each of its endpoints.
 */
const RESOURCES: readonly ((app: FastifyInstance, ctx: Context) => void | Promise<void>)[] = [
  registerDomainPage,
  registerCheckDomain,
  registerIcons,
];

/** Registers all of them. */
export async function registerRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  for (const register of RESOURCES) await register(app, ctx);
}
