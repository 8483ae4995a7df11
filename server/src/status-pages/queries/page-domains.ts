import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { lockRows } from "../../platform/database/sql.ts";
import type { StatusPageDomainTable } from "../../platform/database/tables/status-pages.ts";
import type { DomainFindings } from "../domain/domain-rules.ts";

export interface PageDomain {
  pageId: number;
  host: string;
  claimedAt: number;
  /** Null: not checked yet. */
  checkedAt: number | null;
  /** Null: only on request. */
  nextCheckAt: number | null;
  failingSince: number | null;
  findings: DomainFindings | null;
}

const fromRow = (row: Selectable<StatusPageDomainTable>): PageDomain => ({
  pageId: row.page_id,
  host: row.host,
  claimedAt: row.claimed_at,
  checkedAt: row.checked_at,
  nextCheckAt: row.next_check_at,
  failingSince: row.failing_since,
  findings: row.findings === null ? null : (JSON.parse(row.findings) as DomainFindings),
});

export async function listDomains(db: Db, pageIds: readonly number[]): Promise<PageDomain[]> {
  if (pageIds.length === 0) return [];
  const query = db.selectFrom("status_page_domains").selectAll().where("page_id", "in", pageIds);
  return (await query.execute()).map(fromRow);
}

/** Locked; null: no claim. */
export async function findDomain(trx: Db, pageId: number): Promise<PageDomain | null> {
  const query = trx.selectFrom("status_page_domains").selectAll().where("page_id", "=", pageId);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Null: none. */
export async function findHolder(db: Db, host: string): Promise<{ id: number; uuid: string } | null> {
  const query = db.selectFrom("status_pages").select(["id", "uuid"]).where("custom_domain", "=", host);
  return (await query.executeTakeFirst()) ?? null;
}

export async function listHosts(db: Db): Promise<{ host: string; slug: string }[]> {
  const query = db
    .selectFrom("status_pages")
    .select(["custom_domain as host", "slug"])
    .where("custom_domain", "is not", null);
  return (await query.execute()) as { host: string; slug: string }[];
}

/** Replaces the page's claim; null: removes it. It is due at once. */
export async function claimHost(trx: Db, pageId: number, host: string | null, now: number): Promise<void> {
  await serveAt(trx, pageId, null);
  await trx.deleteFrom("status_page_domains").where("page_id", "=", pageId).execute();
  if (host === null) return;
  const empty = { checked_at: null, failing_since: null, findings: null };
  await trx
    .insertInto("status_page_domains")
    .values({ page_id: pageId, host, claimed_at: now, next_check_at: now, ...empty })
    .execute();
}

/** Null: at none. Throws the engine's error when another page is served there. */
export async function serveAt(trx: Db, pageId: number, host: string | null): Promise<void> {
  await trx.updateTable("status_pages").set({ custom_domain: host }).where("id", "=", pageId).execute();
}

export async function saveFindings(
  trx: Db,
  pageId: number,
  { findings, ...times }: Pick<PageDomain, "checkedAt" | "nextCheckAt" | "failingSince" | "findings">,
): Promise<void> {
  await trx
    .updateTable("status_page_domains")
    .set({
      checked_at: times.checkedAt,
      next_check_at: times.nextCheckAt,
      failing_since: times.failingSince,
      findings: findings && JSON.stringify(findings),
    })
    .where("page_id", "=", pageId)
    .execute();
}

/** Reserves due claims until `until`, across replicas. */
export async function takeDueDomains(
  db: Db,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<{ pageId: number; uuid: string; slug: string; host: string }[]> {
  const due = await db
    .selectFrom("status_page_domains as domain")
    .innerJoin("status_pages as page", "page.id", "domain.page_id")
    .select(["page.id as pageId", "page.uuid", "page.slug", "host"])
    .select("next_check_at as nextCheckAt")
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit)
    .execute();
  const taken = [];
  for (const { nextCheckAt, ...one } of due) {
    const { numUpdatedRows } = await db
      .updateTable("status_page_domains")
      .set({ next_check_at: until })
      .where("page_id", "=", one.pageId)
      .where("next_check_at", "=", nextCheckAt)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) taken.push(one);
  }
  return taken;
}

export interface PageLogo {
  contentType: string;
  data: Uint8Array;
  /** Part of its address. */
  hash: string;
}

export async function saveLogo(trx: Db, pageId: number, logo: PageLogo): Promise<void> {
  const row = { content_type: logo.contentType, data: logo.data, hash: logo.hash };
  await trx
    .insertInto("status_page_logos")
    .values({ page_id: pageId, ...row })
    .onConflict((conflict) => conflict.column("page_id").doUpdateSet(row))
    .execute();
}

export async function deleteLogo(trx: Db, pageId: number): Promise<void> {
  await trx.deleteFrom("status_page_logos").where("page_id", "=", pageId).execute();
}

export async function readLogo(db: Db, pageId: number): Promise<PageLogo | null> {
  const row = await db
    .selectFrom("status_page_logos")
    .select(["content_type as contentType", "data", "hash"])
    .where("page_id", "=", pageId)
    .executeTakeFirst();
  return row ?? null;
}
