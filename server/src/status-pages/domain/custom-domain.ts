import { type DnsType, recordText } from "../../checks/dns-message.ts";
import { lookUpRecords } from "../../checks/name-servers.ts";
import type { Config } from "../../platform/config.ts";
import { ownHostOf } from "../../platform/config-values.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { invalidInput, PublicError } from "../../platform/errors.ts";
import { excerpt, msg } from "../../platform/i18n/message.ts";
import { IdParams } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { withTimeout } from "../../platform/turns.ts";
import { announcePage, findPageMeant, showPage } from "../found-page.ts";
import {
  claimHost,
  findDomain,
  findHolder,
  listDomains,
  listHosts,
  saveFindings,
  serveAt,
  takeDueDomains,
} from "../queries/page-domains.ts";
import { lockPages, type StatusPage } from "../queries/status-pages.ts";
import { StatusPage as StatusPageSchema } from "../schemas/status-pages.ts";
import {
  type DomainFinding,
  type DomainFindings,
  evaluateDomain,
  isProved,
  PROOF_PREFIX,
  proofOf,
  readHost,
} from "./domain-rules.ts";

interface WantedClaim {
  host: string | null;
  /** Where one was needed. */
  look: DomainLook | null;
  /** The page that loses the host. */
  holderId: number | null;
}

type Page = Pick<StatusPage, "id" | "uuid">;
type Settling = Pick<Running, "db" | "clock">;

/** Null: not given. Throws 422 for a host that no page can have. */
export function readClaim(config: Config, text: string | null | undefined): WantedClaim | null {
  if (text === undefined) return null;
  if (text === null || text.trim() === "") return { host: null, look: null, holderId: null };
  const read = readHost(text, config);
  if ("problem" in read) throw invalidInput({ customDomain: [read.problem] });
  return { host: read.host, look: null, holderId: null };
}

/** The DNS is queried where another page is served at the host. Throws 422. */
export async function lookUpClaim(
  ctx: Before,
  page: Page,
  text: string | null | undefined,
): Promise<WantedClaim | null> {
  const wanted = readClaim(ctx.config, text);
  if (wanted === null || wanted.host === null) return wanted;
  const holder = await findHolder(ctx.store.db, wanted.host);
  if (holder === null || holder.id === page.id) return wanted;
  const { host } = wanted;
  const look = await lookUpDomain(ctx, { host, uuid: page.uuid });
  return { host, look, holderId: mayTakeOver(look, host, holder) ? holder.id : null };
}

/**
 * Replaces the page's claim. Locks it, and the page that loses the host. Throws 409 where another page is
 * served there, unless the host's zone names only this one.
 */
export async function claimDomain(ctx: Settling, page: Page, { host, look }: WantedClaim): Promise<void> {
  const { db, clock } = ctx;
  const claim = await findDomain(db, page.id);
  if ((claim?.host ?? null) === host) return;
  const holder = host === null ? null : await findHolder(db, host);
  if (host !== null && holder !== null && !(look && mayTakeOver(look, host, holder))) {
    const { record, value } = proofOf({ host, uuid: page.uuid });
    throw new PublicError("conflict", msg("page.domain_taken", { host, record, value }));
  }
  await claimHost(db, page.id, host, clock.now());
  if (look) await applyDnsFindings(ctx, page, { host: host ?? "", look });
}

/**
 * Serves a page at its host once that is proved, until some days after it no longer is. True: where it is
 * served has changed.
 */
async function applyDnsFindings(
  { db, clock }: Settling,
  page: Page,
  { host, look }: { host: string; look: DomainLook },
): Promise<boolean> {
  const there = await findHolder(db, host);
  await lockPages(db, there ? [page.id, there.id] : [page.id]);
  const claim = await findDomain(db, page.id);
  if (claim?.host !== host) return false;
  const now = clock.now();
  const holder = await findHolder(db, host);
  const isServed = holder?.id === page.id;
  const { findings } = look;
  const found =
    holder && !isServed && isProved(findings) && !mayTakeOver(look, host, holder)
      ? { ...findings, proof: { ...findings.proof, problem: msg("page.domain_held", { host }) } }
      : findings;
  const { serve, failingSince, nextCheckAt } = evaluateDomain({ ...claim, isServed }, found, now);
  if (serve && holder && !isServed) await serveAt(db, holder.id, null);
  if (serve !== isServed) await serveAt(db, page.id, serve ? host : null);
  await saveFindings(db, page.id, { findings: found, failingSince, nextCheckAt, checkedAt: now });
  return serve !== isServed;
}

/** Whether the host's zone names this page, and not the one that is served there. */
const mayTakeOver = ({ findings, proofs }: DomainLook, host: string, holder: { uuid: string }): boolean =>
  isProved(findings) && !proofs.includes(proofOf({ host, uuid: holder.uuid }).value);

const ROUNDS_MS = [2_000, 2_000];
const MAX_FOUND = 5;

interface DomainLook {
  /** Limited to some of the records, for people. */
  findings: DomainFindings;
  /** All records of its zone that name pages. */
  proofs: readonly string[];
}

type LookupContext = Pick<Context, "config" | "network">;
/** Null: no name server answered. */
type Lookup = (name: string, type: DnsType) => Promise<string[] | null>;

/**
 * Whether a host leads to this installation, and whether its zone names the page. Connects only to name
 * servers.
 */
async function lookUpDomain(ctx: LookupContext, claim: { host: string; uuid: string }): Promise<DomainLook> {
  const servers = ctx.network.nameServers?.() ?? ctx.config.resolvers;
  const lookUp: Lookup = async (name, type) => {
    const answer = await lookUpRecords(servers, { name, type }, ROUNDS_MS);
    return answer?.records.filter((record) => record.type === type).map(recordText) ?? null;
  };
  const [points, { proof, proofs }] = await Promise.all([
    pointsOf(ctx, lookUp, claim.host),
    lookUpProof(lookUp, claim),
  ]);
  return { findings: { points, proof }, proofs };
}

async function pointsOf(
  { config, network }: LookupContext,
  lookUp: Lookup,
  host: string,
): Promise<DomainFinding> {
  const wanted = new URL(config.publicUrl ?? "http://localhost").hostname.replace(/^\[(.*)\]$/, "$1");
  const [names, v4, v6] = await Promise.all([lookUp(host, "CNAME"), lookUp(host, "A"), lookUp(host, "AAAA")]);
  if (names?.some((name) => name.toLowerCase() === wanted)) return { found: [wanted], problem: null };
  if (v4 === null || v6 === null) return { found: [], problem: msg("page.dns_silent", { host }) };
  const addresses = [...v4, ...v6];
  const found = shortened(addresses);
  if (found.length === 0)
    return { found: shortened(names ?? []), problem: msg("page.points_nowhere", { host }) };
  const own = await network.resolver.resolve(wanted).catch(() => null);
  if (own === null) return { found, problem: msg("page.own_unknown", { host: wanted }) };
  if (own.addresses.some(({ address }) => addresses.includes(address))) return { found, problem: null };
  return { found, problem: msg("page.points_elsewhere", { host, found: found.join(", "), wanted }) };
}

async function lookUpProof(
  lookUp: Lookup,
  claim: { host: string; uuid: string },
): Promise<{ proof: DomainFinding; proofs: readonly string[] }> {
  const { record, value } = proofOf(claim);
  const records = await lookUp(record, "TXT");
  if (records === null) {
    return { proof: { found: [], problem: msg("page.dns_silent", { host: record }) }, proofs: [] };
  }
  const proofs = records.map((text) => text.trim()).filter((text) => text.startsWith(PROOF_PREFIX));
  const found = shortened(proofs);
  const other = () => msg("page.proof_other", { record, found: found.join(", "), wanted: value });
  const missing = found.length === 0 ? msg("page.proof_missing", { record }) : other();
  return { proof: { found, problem: proofs.includes(value) ? null : missing }, proofs };
}

const shortened = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_FOUND).map((text) => excerpt(text));

/** In lower case, with the page's slug. */
const ownHosts = async (db: Db): Promise<ReadonlyMap<string, string>> =>
  new Map((await listHosts(db)).map(({ host, slug }) => [host, slug]));

/** Checked in parallel. */
const LIMIT = 20;
/** After a crash, other replicas wait for this long. */
const LEASE_MS = 60_000;

/** Checks the domains that are due: pending ones often, served ones rarely. */
export async function followDomains(
  ctx: Pick<Context, "store" | "clock" | "config" | "network" | "live">,
): Promise<void> {
  if (ctx.config.publicUrl === null) return;
  const now = ctx.clock.now();
  const due = await takeDueDomains(ctx.store.db, { now, until: now + LEASE_MS, limit: LIMIT });
  await Promise.all(
    due.map(async ({ pageId, uuid, slug, host }) => {
      const look = await lookUpDomain(ctx, { host, uuid });
      const after: (() => void)[] = [];
      await ctx.store.transaction(async (db) => {
        const isMoved = await applyDnsFindings(
          { db, clock: ctx.clock },
          { id: pageId, uuid },
          { host, look },
        );
        if (isMoved) announcePage({ ...ctx, db, after: (work) => after.push(work) }, [slug]);
      });
      for (const work of after) work();
    }),
  );
}

/** Throws 404, and 422 for a page without a domain. */
export const checkCustomDomain = verb({
  resource: "status-pages",
  feature: "team",
  action: "write",
  audit: "check custom domain",
  hints: { readOnly: true, openWorld: true },
  input: IdParams,
  output: StatusPageSchema,
  find: findPageMeant,
  async prepare(ctx, _, page) {
    const [claim] = await listDomains(ctx.store.db, [page.id]);
    if (!claim) throw invalidInput({ customDomain: [msg("page.domain_none")] });
    const { host } = claim;
    return { page, looked: { host, look: await lookUpDomain(ctx, { host, uuid: page.uuid }) } };
  },
  async run(ctx, _, { page, looked }) {
    if (await applyDnsFindings(ctx, page, looked)) announcePage(ctx, [page.slug]);
    ctx.record({ id: page.id, name: page.name });
    return showPage(ctx, page);
  },
});

/** How long the list of hosts is cached. */
const FRESH_MS = 15_000;
/** Requests wait no longer for the store. */
const TIMEOUT_MS = 1_000;
/** A host name of 253 characters, its last dot, and a port. */
const MAX_LENGTH = 260;

export interface PageHosts {
  /**
   * The slug of the page at that Host header; null: the installation's own host, or an unknown one. `mayWait`
   * false: the cached answer.
   */
  find(header: string | undefined, mayWait: boolean): string | null | Promise<string | null>;
  /** The page's host or slug may have changed. */
  renew(): void;
}

/**
 * Caches all hosts together, so that requests for invented hosts cause no reading. While the store is away,
 * the last list holds, without waiting.
 */
export function pageHosts(ctx: Pick<Context, "store" | "clock" | "log" | "config">): PageHosts {
  const installation = ownHostOf(ctx.config.publicUrl);
  let slugs: ReadonlyMap<string, string> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let isAway = false;
  /** Shared by requests that wait for the store. */
  let reading: Promise<unknown> | null = null;
  let changes = 0;
  const readOnce = async () => {
    try {
      slugs = await ownHosts(ctx.store.db);
      isAway = false;
    } catch (error) {
      isAway = true;
      ctx.log.warn({ err: error }, "the hosts of status pages could not be read");
    }
  };
  const read = async () => {
    let before: number;
    do {
      before = changes;
      await readOnce();
      // A reading that began before a change may be outdated.
    } while (before !== changes && !isAway);
    freshUntil = ctx.clock.now() + FRESH_MS;
    reading = null;
  };
  const startReading = () => {
    reading ??= withTimeout(read(), TIMEOUT_MS, () => {
      isAway = true;
    });
  };
  return {
    find(header = "", mayWait) {
      if (ctx.clock.now() >= freshUntil) startReading();
      else if (slugs?.size === 0) return null;
      const host = hostOf(header);
      const slug = slugs?.get(host) ?? null;
      // Known hosts need not wait, nor do names that no page can have.
      if (reading === null || isAway || slug !== null || !mayWait) return slug;
      if (host === installation || !host.includes(".") || /^[\d.]+$/.test(host)) return slug;
      return reading.then(() => slugs?.get(host) ?? null);
    },
    renew() {
      changes += 1;
      freshUntil = Number.NEGATIVE_INFINITY;
      startReading();
    },
  };
}

/** Normalized; empty for an invalid one. */
const hostOf = (header: string): string => {
  if (header.length > MAX_LENGTH) return "";
  const [, name = ""] = /^([a-z0-9.-]+?)\.?(?::\d*)?$/i.exec(header) ?? [];
  return name.toLowerCase();
};
