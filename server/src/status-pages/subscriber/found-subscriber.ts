import { assertAccess } from "../../platform/access/check-access.ts";
import type { Db } from "../../platform/database/schema.ts";
import { invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { parseId } from "../../platform/operations/field.ts";
import type { Before, Running } from "../../platform/operations/operation.ts";
import { findPageMeant } from "../found-page.ts";
import { listComponents } from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import { countSubscribers, findSubscriber, type Subscriber } from "../queries/subscribers.ts";
import { MAX_SUBSCRIBERS } from "../schemas/subscribers.ts";
import { KIND_TRAITS, type SubscriberKind } from "./kinds.ts";

/**
 * For callers who may change the page: viewers do not see addresses. Throws 404, and 403 for the scope or the
 * role.
 */
export async function findOwnPage(ctx: Before, input: { id: string }) {
  const meant = await findPageMeant(ctx, input);
  const { needs } = ctx.caller;
  if (needs) assertAccess(meant.caller, { ...needs, action: "write" });
  return meant;
}

/** Locked. Throws 404. */
export async function subscriberMeant(db: Db, page: StatusPage, id: string): Promise<Subscriber> {
  const subscriber = await findSubscriber(db, page.id, parseId(id), { lock: true });
  if (!subscriber) throw notFound();
  return subscriber;
}

/** In lower case; null: all. Throws 422 for components that are not on the page. */
export async function componentsChosen(
  db: Db,
  { id }: Pick<StatusPage, "id">,
  chosen: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!chosen) return null;
  if (chosen.length === 0) throw invalidInput({ components: [msg("subscriber.no_components")] });
  const known = await componentsOf(db, id);
  const wanted = [...new Set(chosen.map((uuid) => uuid.toLowerCase()))];
  const unknown = wanted.find((uuid) => !known.has(uuid));
  if (unknown !== undefined) throw invalidInput({ components: [msg("page.no_component", { id: unknown })] });
  return wanted;
}

export const componentsOf = async (db: Db, pageId: number): Promise<ReadonlySet<string>> =>
  new Set((await listComponents(db, [pageId])).map(({ uuid }) => uuid));

/** Throws 403. Call it with the page locked. */
export async function assertRoom({ db }: Pick<Running, "db">, page: { id: number }, more: number) {
  if ((await countSubscribers(db, { pageId: page.id })) + more > MAX_SUBSCRIBERS) {
    throw new PublicError("quota_reached", msg("subscriber.many", { limit: MAX_SUBSCRIBERS }));
  }
}

/** Depends on the kind; always with open sign-up. */
export const requiresConfirmation = (
  { config }: Pick<Running, "config">,
  kind: SubscriberKind,
  agreed: boolean,
) => !agreed && (KIND_TRAITS[kind].needsConfirmation || config.signup === "open");

/** Throws 422 where open sign-up would let anyone claim that others have agreed. */
export function assertMayAgree({ config }: Pick<Running, "config">, agreed: boolean): void {
  if (agreed && config.signup === "open") throw invalidInput({ agreed: [msg("subscriber.agreed")] });
}
