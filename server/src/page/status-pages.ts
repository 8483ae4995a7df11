import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { assertStays } from "../account/staying-organization.ts";
import { invalidInput, notFound, PublicError } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { lockOrganization } from "../store/queries/organizations.ts";
import {
  countPages,
  deletePage,
  insertPage,
  isSlugTaken,
  listPages,
  type PageSettings,
  savePage,
} from "../store/queries/status-pages.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { Deleted, IdParams, withId } from "../wire/id.ts";
import { PageQuery, pageIn, pagingOf } from "../wire/page.ts";
import {
  StatusPage,
  StatusPageCreate,
  type StatusPageInput,
  StatusPageUpdate,
} from "../wire/status-pages.ts";
import { findPageMeant, rereadPage, showPage, showPages } from "./found-page.ts";

/** That many an organization can have. */
const MAX_PAGES = 100;

const ofPages = { resource: "status-pages", feature: "team" } as const;
const ofOne = { ...ofPages, find: findPageMeant } as const;

/** The organization's status pages, oldest first. */
export const listStatusPages = verb({
  ...ofPages,
  action: "read",
  input: Type.Object(PageQuery),
  output: Type.Array(StatusPage),
  paged: true,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const paging = pagingOf(input);
    const items = await showPages(ctx, await listPages(db, caller.organizationId, paging));
    const page = paging.isPaged ? pageIn(paging, await countPages(db, caller.organizationId)) : undefined;
    return { items, page };
  },
});

/** One of them. Throws 404. */
export const getStatusPage = verb({
  ...ofOne,
  action: "read",
  input: IdParams,
  output: StatusPage,
  run: (ctx, _, page) => showPage(ctx, page),
});

/** Adds a page that shows nothing yet. Throws 422 for what is wrong, a slug that is taken too; 403 where there are enough. */
export const createStatusPage = verb({
  ...ofPages,
  action: "write",
  audit: "create status-pages",
  input: StatusPageCreate,
  output: StatusPage,
  async run(ctx, input) {
    const { db, caller, clock } = ctx;
    const { organizationId } = caller;
    assertStays(await lockOrganization(db, organizationId));
    const settings = applyInput(
      { ...input, description: "", isPublic: true, showAutomatic: true, timeZone: "UTC" },
      input,
    );
    await assertSlugFree(db, settings.slug, null);
    if ((await countPages(db, organizationId)) >= MAX_PAGES) {
      throw new PublicError("quota_reached", fact("page.many", { limit: MAX_PAGES }));
    }
    const id = await insertPage(db, { ...settings, uuid: randomUUIDv7(), organizationId }, clock.now());
    ctx.record({ id, name: settings.name });
    return showPage(ctx, { id });
  },
});

/** Changes what is given of a page and leaves the rest. Throws 404 and 422. */
export const updateStatusPage = verb({
  ...ofOne,
  action: "write",
  audit: "update status-pages",
  input: withId(StatusPageUpdate),
  output: StatusPage,
  async run(ctx, { id: _, ...input }, found) {
    const page = await rereadPage(ctx, found);
    const settings = applyInput(page, input);
    await assertSlugFree(ctx.db, settings.slug, page.id);
    await savePage(ctx.db, page.id, settings, ctx.clock.now());
    ctx.record({ id: page.id, name: settings.name });
    return showPage(ctx, page);
  },
});

/** Removes a page; what it showed stays. Throws 404. */
export const deleteStatusPage = verb({
  ...ofOne,
  action: "write",
  audit: "delete status-pages",
  input: IdParams,
  output: Deleted,
  async run(ctx, _, { id, name }) {
    if (!(await deletePage(ctx.db, id))) throw notFound();
    ctx.record({ id, name });
    return { id };
  },
});

/** `base` with what is given. */
function applyInput(base: PageSettings, input: StatusPageInput): PageSettings {
  const { name = base.name, slug = base.slug, description = base.description } = input;
  const { isPublic = base.isPublic, showAutomatic = base.showAutomatic, timeZone = base.timeZone } = input;
  return { slug, isPublic, showAutomatic, timeZone, name: name.trim(), description: description.trim() };
}

/** Who takes it meanwhile makes this transaction begin anew (store/errors.ts). */
async function assertSlugFree(db: Db, slug: string, exceptId: number | null): Promise<void> {
  if (await isSlugTaken(db, slug, exceptId))
    throw invalidInput({ slug: [fact("page.slug_taken", { slug })] });
}
