import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import { readLinks } from "../../monitors/queries/device-snapshots.ts";
import { findMonitors } from "../../monitors/queries/monitors.ts";
import { assertStays, findAnywhere, mayRead } from "../../platform/access/check-access.ts";
import { findKey } from "../../platform/access/queries/api-keys.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { type FieldErrors, invalidInput, notFound } from "../../platform/errors.ts";
import { checkName } from "../../platform/formats/name.ts";
import { msg, withoutUnseen } from "../../platform/i18n/message.ts";
import { Deleted, IdParams, parseId, withId } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../../platform/operations/paging.ts";
import { READS, WRITES } from "../account-verbs.ts";
import {
  countDeployments,
  type DeploymentDetails,
  deleteDeployment as deleteRow,
  findDeployment,
  listDeployments as queryDeployments,
  type ShownDeployment,
  saveDeployment,
  saveTouched,
} from "../queries/deployments.ts";
import {
  Deployment,
  DeploymentsQuery,
  DeploymentUpdate,
  NewDeployment,
  projectDeployment,
} from "../schemas/deployments.ts";
import { announceAfter, announceDeployment } from "../sync-rules.ts";
import { recordDeployment } from "./receive-webhook.ts";
import { LONGEST_DEPLOYMENT_MS } from "./rules.ts";
import { namedMonitors, touchedBy } from "./touched.ts";

/** Tolerance for clients' clocks. */
const AHEAD_MS = 5 * 60_000;

const find = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const inOne = (organizationId: number) => findDeployment(db, organizationId, ref);
  return findAnywhere(ctx, inOne, () => findOwner(db, "deployments", ref));
};

const show = (ctx: Running, one: ShownDeployment) =>
  projectDeployment({ ...one, monitors: one.monitors.filter(mayRead(ctx)) });

/** Newest first. Throws 404 for an unknown monitor, 422 for an end that is no later than the start. */
export const listDeployments = verb({
  ...READS,
  input: DeploymentsQuery,
  output: Type.Array(Deployment),
  paged: true,
  async run(ctx, { monitor, from, to, ...query }) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    const paging = pagingOf(query);
    const monitorIds = monitor === undefined ? undefined : await monitorsOf(db, organizationId, monitor);
    const filter = { organizationId, monitorIds, from: timeOf(from), to: timeOf(to) };
    if (filter.from !== undefined && filter.to !== undefined && filter.from >= filter.to) {
      throw invalidInput({ to: [msg("maintenance.until")] });
    }
    const items = await queryDeployments(db, filter, paging);
    const total = paging.isPaged ? await countDeployments(db, filter) : items.length;
    return { items: items.map((one) => show(ctx, one)), page: pageIn(paging, total) };
  },
});

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** With a device's services. */
async function monitorsOf(db: Running["db"], organizationId: number, text: string): Promise<number[]> {
  const [found] = await findMonitors(db, { organizationId, refs: [parseId(text)] });
  if (!found) throw notFound();
  const links = found.kind === "device" ? await readLinks(db, found.id) : [];
  return [found.id, ...links.map(({ id }) => id)];
}

/** Throws 404. */
export const getDeployment = verb({
  ...READS,
  input: IdParams,
  output: Deployment,
  find,
  run: async (ctx, _, found) => show(ctx, found),
});

/**
 * Saves a deployment, or updates the one reported with the same `externalId`; returns whether it is new.
 * Throws 422.
 */
export const createDeployment = verb({
  ...WRITES,
  audit: "create deployments",
  input: NewDeployment,
  output: Deployment,
  async run(ctx, input) {
    const { db, clock, caller } = ctx;
    const { organizationId } = caller;
    const now = clock.now();
    assertStays(await lockOrganization(db, organizationId));
    const details = await detailsOf(ctx, input, now);
    const ids = input.monitors && (await namedMonitors(ctx, input.monitors));
    const touched = await touchedBy(db, organizationId, { ids, tags: input.tags, name: details.name });
    const externalKey = `api:${input.externalId ?? randomUUIDv7()}`;
    const reported = { organizationId, source: "api", externalKey, reportedAt: now, details };
    const { id, isNew } = await recordDeployment(db, reported, touched, now);
    announceAfter(ctx);
    const made = await findDeployment(db, organizationId, { id });
    if (!made) throw notFound();
    ctx.record({ id, name: made.name });
    return { ...show(ctx, made), isNew };
  },
});

async function detailsOf(
  ctx: Running,
  input: Static<typeof NewDeployment>,
  now: number,
): Promise<DeploymentDetails> {
  const { status = "succeeded" } = input;
  const end = timeOf(input.finishedAt);
  // A client that reports only the end, a moment later, implies no later start.
  const startedAt = timeOf(input.startedAt) ?? Math.min(end ?? now, now);
  const finishedAt = end ?? (status === "started" ? null : startedAt);
  refuseTimes({ startedAt, finishedAt }, now);
  const said = (text = "") => withoutUnseen(text).trim() || null;
  return {
    name: checkName(withoutUnseen(input.name)),
    ...{ version: said(input.version), environment: said(input.environment) },
    ...{ status, message: said(input.message), url: said(input.url), startedAt, finishedAt },
    author: said(input.author) ?? (await keyName(ctx)),
  };
}

/** A pipeline's own key identifies it. */
async function keyName({ db, caller }: Running): Promise<string | null> {
  if (caller.apiKeyId === null) return null;
  return (await findKey(db, caller.organizationId, { id: caller.apiKeyId }))?.name ?? null;
}

function refuseTimes(
  { startedAt, finishedAt }: Pick<DeploymentDetails, "startedAt" | "finishedAt">,
  now: number,
): void {
  const problems: FieldErrors = {};
  if (startedAt > now + AHEAD_MS) problems["startedAt"] = [msg("deployment.ahead", { field: "startedAt" })];
  if (finishedAt !== null && finishedAt > now + AHEAD_MS) {
    problems["finishedAt"] = [msg("deployment.ahead", { field: "finishedAt" })];
  } else if (
    finishedAt !== null &&
    (finishedAt < startedAt || finishedAt > startedAt + LONGEST_DEPLOYMENT_MS)
  ) {
    problems["finishedAt"] = [msg("deployment.length", { field: "finishedAt", other: "startedAt" })];
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

/** Throws 404 and 422. */
export const updateDeployment = verb({
  ...WRITES,
  audit: "update deployments",
  input: withId(DeploymentUpdate),
  output: Deployment,
  find,
  async run(ctx, input, { id, organizationId }) {
    const { db, clock } = ctx;
    const now = clock.now();
    const before = await findDeployment(db, organizationId, { id }, { lock: true });
    if (!before) throw notFound();
    const { status = before.status } = input;
    const ends = status !== "started" && before.status === "started";
    const finishedAt = timeOf(input.finishedAt) ?? before.finishedAt ?? (ends ? endOf(before, now) : null);
    refuseTimes({ ...before, finishedAt }, now);
    const given = { version: input.version, message: input.message, url: input.url };
    const texts = Object.fromEntries(
      Object.entries(given).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, withoutUnseen(text)]],
      ),
    );
    await saveDeployment(db, id, { ...before, ...texts, status, finishedAt, reportedAt: now }, now);
    if (input.monitors) await saveTouched(db, before, await namedMonitors(ctx, input.monitors));
    const after = await findDeployment(db, organizationId, { id });
    if (!after) throw notFound();
    announceDeployment(db, deploymentOf(after), announceAfter(ctx));
    return show(ctx, after);
  },
});

const deploymentOf = ({ id, monitors }: ShownDeployment) => ({
  id,
  monitorIds: monitors.map((monitor) => monitor.id),
});

const endOf = ({ startedAt }: ShownDeployment, now: number) =>
  Math.min(Math.max(now, startedAt), startedAt + LONGEST_DEPLOYMENT_MS);

/** Throws 404. */
export const deleteDeployment = verb({
  ...WRITES,
  audit: "delete deployments",
  input: IdParams,
  output: Deleted,
  find,
  async run(ctx, _, found) {
    const { id, name } = found;
    if (!(await deleteRow(ctx.db, id))) throw notFound();
    ctx.record({ id, name });
    announceDeployment(ctx.db, deploymentOf(found), announceAfter(ctx));
    return { id };
  },
});
