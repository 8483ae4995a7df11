import { isUtf8 } from "node:buffer";
import { randomUUIDv7 } from "node:crypto";
import type { Static } from "typebox";
import { findMonitorNames } from "../../monitors/queries/monitors.ts";
import { hasFeature } from "../../platform/access/plans.ts";
import { findOrganization } from "../../platform/access/queries/organizations.ts";
import type { Db } from "../../platform/database/schema.ts";
import { notFound, PublicError } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { readId, timestamp } from "../../platform/operations/field.ts";
import { type Before, verb } from "../../platform/operations/operation.ts";
import { MAX_VALUES, parseJson, refusalOf } from "../../platform/operations/validator.ts";
import { isObject, type Json } from "../provider-error.ts";
import { type DeploymentWebhook, noteReceived, readWebhook } from "../queries/deployment-webhooks.ts";
import {
  type Deployment,
  type DeploymentDetails,
  findReportedDeployment,
  insertDeployment,
  moveTouched,
  saveDeployment,
  saveTouched,
} from "../queries/deployments.ts";
import { DeliveredWebhook, TakenWebhook } from "../schemas/deployments.ts";
import { announceDeployment } from "../sync-rules.ts";
import { type Delivered, type DeploymentEvent, GIT_PROVIDERS } from "./git-provider.ts";
import type { GitProviderName } from "./git-provider-names.ts";
import { isLateStart, isNewer, LONGEST_DEPLOYMENT_MS } from "./rules.ts";
import { touchedBy } from "./touched.ts";

interface ReportedDeployment
  extends Pick<Deployment, "organizationId" | "source" | "externalKey" | "reportedAt"> {
  details: DeploymentDetails;
}

/**
 * Saves a report, in a transaction; wake the live stream afterwards. Duplicates and older reports change
 * nothing. `isNew`: nothing of it was known before.
 */
export async function recordDeployment(
  trx: Db,
  reported: ReportedDeployment,
  monitorIds: readonly number[],
  now: number,
): Promise<{ id: number; isUpdate: boolean; isNew: boolean }> {
  const details = bounded(reported.details, now + AHEAD_MS);
  const { organizationId, source, externalKey, reportedAt } = reported;
  const madeId = await insertDeployment(
    trx,
    { ...details, uuid: randomUUIDv7(), organizationId, source, externalKey, reportedAt },
    now,
  );
  if (madeId !== undefined) {
    await saveTouched(trx, { id: madeId, startedAt: details.startedAt }, monitorIds);
    announceDeployment(trx, { id: madeId, monitorIds }, { organizationId, now });
    return { id: madeId, isUpdate: true, isNew: true };
  }
  const known = await findReportedDeployment(trx, organizationId, externalKey);
  if (!known) throw new Error("a deployment that was reported is gone");
  if (!isUpdate(known, reported, details) || isSame(known, details))
    return { id: known.id, isUpdate: false, isNew: false };
  const { startedAt, ...more } = merged(known, details);
  await saveDeployment(trx, known.id, { ...more, startedAt, reportedAt }, now);
  if (startedAt !== known.startedAt) await moveTouched(trx, { id: known.id, startedAt });
  announceDeployment(trx, { id: known.id, monitorIds }, { organizationId, now });
  return { id: known.id, isUpdate: true, isNew: false };
}

/** Pipelines do not say when a status began, so a start after a known end is late. Git providers do. */
const isUpdate = (
  known: Deployment,
  { source, reportedAt }: ReportedDeployment,
  details: DeploymentDetails,
): boolean =>
  isNewer(known, { ...details, reportedAt }) && !(source === "api" && isLateStart(known, details));

/**
 * Absent details stay. What ends or continues after more than a day began later than reported, and nothing
 * ends before it began, whatever the sender's clock.
 */
const merged = (known: Deployment, details: DeploymentDetails): DeploymentDetails => ({
  ...details,
  version: details.version ?? known.version,
  environment: details.environment ?? known.environment,
  author: details.author ?? known.author,
  message: details.message ?? known.message,
  url: details.url ?? known.url,
  startedAt: isTooLong(known, details)
    ? details.startedAt
    : Math.min(known.startedAt, details.finishedAt ?? known.startedAt),
});

const isTooLong = (known: Deployment, { startedAt, finishedAt }: DeploymentDetails): boolean =>
  (finishedAt ?? startedAt) > known.startedAt + LONGEST_DEPLOYMENT_MS;

const isSame = (known: Deployment, details: DeploymentDetails): boolean =>
  Object.entries(merged(known, details)).every(([name, value]) => known[name as keyof Deployment] === value);

/**
 * Not after `latest`, and no end before the start. One longer than a day had waited: it began when it ended.
 */
function bounded(details: DeploymentDetails, latest: number): DeploymentDetails {
  const { finishedAt } = details;
  const startedAt = Math.min(details.startedAt, latest);
  if (finishedAt === null) return { ...details, startedAt };
  const end = Math.max(Math.min(finishedAt, latest), startedAt);
  return {
    ...details,
    startedAt: end > startedAt + LONGEST_DEPLOYMENT_MS ? end : startedAt,
    finishedAt: end,
  };
}

/** Older reports are replays. */
const OLDEST_MS = 30 * 24 * 3_600_000;
/** Tolerance for the Git provider's clock. */
const AHEAD_MS = 10 * 60_000;

type Input = Static<typeof DeliveredWebhook>;

/**
 * Saved, in a transaction of its own, when this resolves. Duplicates change nothing. Throws 404 for an
 * unknown webhook, 401 for a wrong signature, 422 for what cannot be read.
 */
export const receiveDeploymentWebhook = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: DeliveredWebhook,
  output: TakenWebhook,
  prepare: receive,
  run: async (_ctx, _input, taken: Static<typeof TakenWebhook>) => taken,
});

async function receive(ctx: Before<"anyone">, input: Input): Promise<Static<typeof TakenWebhook>> {
  const now = ctx.clock.now();
  const webhook = await findTaken(ctx, input);
  const refuse = async (
    kind: "unauthenticated" | "invalid_input",
    what: MessageDescriptor,
  ): Promise<never> => {
    await note(ctx, webhook, what, now);
    throw new PublicError(kind, what);
  };
  const gitProvider = GIT_PROVIDERS[webhook.provider as GitProviderName];
  const body = Buffer.from(input.body, "latin1");
  const delivered: Delivered = { body, header: (name) => input.headers[name], now };
  if (!gitProvider.isSigned(delivered, ctx.secrets.open(webhook.secret))) {
    return refuse("unauthenticated", msg("deployment.signature"));
  }
  if (!isUtf8(body)) return refuse("invalid_input", msg("request.not_utf8"));
  const read = jsonOf(contentOf(delivered));
  if ("refusal" in read) return refuse("invalid_input", read.refusal);
  const event = gitProvider.read(delivered.header(gitProvider.eventHeader) ?? "", read.json);
  const isWanted = event !== null && isTimely(event, now) && isOfEnvironment(webhook, event);
  const recorded = isWanted ? await record(ctx, webhook, event, now) : false;
  await note(ctx, webhook, null, now);
  return { receivedAt: timestamp(now), recorded };
}

async function note(
  { store, live }: Before<"anyone">,
  { id, organizationId }: DeploymentWebhook,
  failure: MessageDescriptor | null,
  now: number,
): Promise<void> {
  await store.transaction(async (trx) => {
    await noteReceived(trx, id, failure, now);
    announceDeployment(trx, null, { organizationId, now });
  });
  live.wake();
}

/** Only where the organization's plan has webhooks. Throws 404. */
async function findTaken({ store }: Before<"anyone">, { id }: Input): Promise<DeploymentWebhook> {
  const ref = readId(id);
  const webhook = ref && "uuid" in ref ? await readWebhook(store.db, ref.uuid) : null;
  const organization = webhook && (await findOrganization(store.db, { id: webhook.organizationId }));
  if (!webhook || !organization || !hasFeature(organization, "full")) throw notFound();
  if (!Object.hasOwn(GIT_PROVIDERS, webhook.provider)) throw notFound();
  return webhook;
}

/** GitHub sends JSON as a form field by default. */
const contentOf = ({ body, header }: Delivered): string =>
  header("content-type")?.startsWith("application/x-www-form-urlencoded")
    ? (new URLSearchParams(body.toString()).get("payload") ?? "")
    : body.toString();

function jsonOf(body: string): { json: Json } | { refusal: MessageDescriptor } {
  const parsed = parseJson(Buffer.from(body), MAX_VALUES);
  if ("value" in parsed)
    return isObject(parsed.value) ? { json: parsed.value } : { refusal: msg("request.not_json") };
  if (parsed.refused !== "invalid_fields") return { refusal: refusalOf(parsed.refused, MAX_VALUES).message };
  return { refusal: Object.values(parsed.fields)[0]?.[0] ?? msg("request.not_json") };
}

const isTimely = ({ reportedAt }: DeploymentEvent, now: number) =>
  reportedAt > now - OLDEST_MS && reportedAt < now + AHEAD_MS;

const isOfEnvironment = ({ environments }: DeploymentWebhook, { details }: DeploymentEvent): boolean =>
  environments.length === 0 ||
  environments.some((one) => one.toLowerCase() === details.environment?.toLowerCase());

function record(
  ctx: Before<"anyone">,
  webhook: DeploymentWebhook,
  event: DeploymentEvent,
  now: number,
): Promise<boolean> {
  const { organizationId, provider: source, tags } = webhook;
  const { externalId, reportedAt, details } = event;
  return ctx.store.transaction(async (trx) => {
    const alive = await findMonitorNames(trx, organizationId, webhook.monitors);
    const ids = alive.map(({ id }) => id);
    // Webhooks whose monitors are all deleted affect none: only those that never named any match by name.
    const isGone = webhook.monitors.length > 0 && ids.length === 0 && tags.length === 0;
    const touched = isGone ? [] : await touchedBy(trx, organizationId, { ids, tags, name: details.name });
    const reported = {
      organizationId,
      source,
      reportedAt,
      details,
      externalKey: `${source}:${webhook.id}:${externalId}`,
    };
    return (await recordDeployment(trx, reported, touched, now)).isUpdate;
  });
}
