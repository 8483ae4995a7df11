import { invalidInput } from "../errors.ts";
import {
  freeFormerSlug,
  keepFormerSlug,
  type StatusPage,
  slugHindrance,
} from "../store/queries/status-pages.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";

/** So long no other organization gets a slug that readers of a page follow still. */
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;

type Asking = Pick<Running, "db" | "clock" | "caller">;

/** Why a page of the caller's organization cannot have a slug that others have, or had; null: it can. `exceptId`: the page itself. */
export async function slugHeldBy(
  { db, clock, caller: { organizationId } }: Asking,
  slug: string,
  exceptId: number | null,
): Promise<Fact | null> {
  const givenUpBefore = clock.now() - KEPT_DAYS * DAY_MS;
  const hindrance = await slugHindrance(db, { slug, organizationId, exceptId, givenUpBefore });
  if (hindrance === null) return null;
  return hindrance === "taken"
    ? fact("page.slug_taken", { slug })
    : fact("page.slug_kept", { slug, days: KEPT_DAYS });
}

/** Gives a page its slug; the one that it had before leads to it. Throws 422. Who takes it meanwhile makes this transaction begin anew (store/errors.ts). */
export async function takeSlug(
  ctx: Asking,
  slug: string,
  page: Pick<StatusPage, "id" | "organizationId" | "slug"> | null,
): Promise<void> {
  if (page?.slug === slug) return;
  const problem = await slugHeldBy(ctx, slug, page?.id ?? null);
  if (problem) throw invalidInput({ slug: [problem] });
  await freeFormerSlug(ctx.db, slug);
  if (page) await keepFormerSlug(ctx.db, page, ctx.clock.now());
}
