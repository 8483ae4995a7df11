import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { MAX_PAGES } from "../incidents/schemas/incident-changes.ts";
import { foldForSearch } from "../monitors/queries/monitors.ts";
import { assertStays } from "../platform/access/check-access.ts";
import { hashPassword } from "../platform/access/password.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted, IdParams, withId } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { pageOf } from "../platform/operations/paging.ts";
import { planContents, saveContents } from "./contents/contents.ts";
import { claimDomain, lookUpClaim, readClaim } from "./domain/custom-domain.ts";
import { announcePage, findPageMeant, pageChanged, rereadPage, showPage, showPages } from "./found-page.ts";
import { takeSlug } from "./free-slug.ts";
import { applyInput, USUAL_SETTINGS } from "./preview-page.ts";
import {
  countPages,
  deletePage,
  insertPage,
  listPages,
  lockPages,
  savePage,
} from "./queries/status-pages.ts";
import { StatusPageChange, StatusPagesQuery } from "./schemas/status-page-contents.ts";
import { StatusPage, StatusPageCreate } from "./schemas/status-pages.ts";

const ofPages = { resource: "status-pages", feature: "team" } as const;
const ofOne = { ...ofPages, find: findPageMeant } as const;

export const listStatusPages = verb({
  ...ofPages,
  action: "read",
  input: StatusPagesQuery,
  output: Type.Array(StatusPage),
  paged: true,
  async run(ctx, { search = "", ...input }) {
    const { db, caller } = ctx;
    const part = foldForSearch(search);
    // So few that they are filtered here.
    const all = await listPages(db, caller.organizationId, { limit: MAX_PAGES, offset: 0 });
    const fits = ({ name, slug }: { name: string; slug: string }) =>
      foldForSearch(name).includes(part) || slug.includes(part);
    const { items, page } = pageOf(all.filter(fits), input);
    return { items: await showPages(ctx, items), page };
  },
});

/** Throws 404. */
export const getStatusPage = verb({
  ...ofOne,
  action: "read",
  input: IdParams,
  output: StatusPage,
  run: (ctx, _, page) => showPage(ctx, page),
});

/** Throws 422 for invalid input and a slug that is taken; 403 at the limit. */
export const createStatusPage = verb({
  ...ofPages,
  action: "write",
  audit: "create status-pages",
  input: StatusPageCreate,
  output: StatusPage,
  prepare: (_, { password }) => hashed(password),
  async run(ctx, input, passwordHash) {
    const { db, caller, clock } = ctx;
    const { organizationId } = caller;
    const claimed = readClaim(ctx.config, input.customDomain);
    assertStays(await lockOrganization(db, organizationId));
    const settings = applyInput(USUAL_SETTINGS, input, passwordHash);
    await takeSlug(ctx, settings.slug, null);
    if ((await countPages(db, organizationId)) >= MAX_PAGES) {
      throw new PublicError("quota_reached", msg("page.many", { limit: MAX_PAGES }));
    }
    const uuid = randomUUIDv7();
    const id = await insertPage(db, { ...settings, uuid, organizationId }, clock.now());
    if (claimed) await claimDomain(ctx, { id, uuid }, claimed);
    // Another page may have been served at this slug.
    announcePage(ctx, [settings.slug]);
    ctx.record({ id, name: settings.name });
    return showPage(ctx, { id });
  },
});

/** Absent fields stay. Throws 404, 422, and 409 for one that has changed since. */
export const updateStatusPage = verb({
  ...ofOne,
  action: "write",
  audit: "update status-pages",
  input: withId(StatusPageChange),
  output: StatusPage,
  prepare: async (ctx, { customDomain, password }, found) => ({
    found,
    claimed: await lookUpClaim(ctx, found, customDomain),
    passwordHash: await hashed(password),
  }),
  async run(ctx, { id: _, contents, unchangedSince, ...input }, { found, claimed, passwordHash }) {
    if (claimed?.holderId) await lockPages(ctx.db, [found.id, claimed.holderId]);
    const page = await rereadPage(ctx, found);
    if (unchangedSince !== undefined && Date.parse(unchangedSince) !== page.updatedAt)
      throw new PublicError("conflict", msg("page.changed"));
    const settings = applyInput(page, input, passwordHash);
    await takeSlug(ctx, settings.slug, page);
    if (contents) await saveContents(ctx.db, page, await planContents(ctx, page, contents));
    await savePage(ctx.db, page.id, settings);
    if (claimed) await claimDomain(ctx, page, claimed);
    await pageChanged(ctx, page, settings);
    return showPage(ctx, page);
  },
});

/** Throws 404. */
export const deleteStatusPage = verb({
  ...ofOne,
  action: "write",
  audit: "delete status-pages",
  input: IdParams,
  output: Deleted,
  async run(ctx, _, { id, name, slug }) {
    if (!(await deletePage(ctx.db, id))) throw notFound();
    announcePage(ctx, [slug]);
    ctx.record({ id, name });
    return { id };
  },
});

/** Undefined: unchanged; null: to be removed. */
const hashed = async (password: string | null | undefined): Promise<string | null | undefined> =>
  typeof password === "string" ? hashPassword(password) : password;
