import type { TSchema } from "typebox";
import { readIncidentState } from "../../incidents/queries/automatic-incidents.ts";
import { messageOfSuspect, suspectOf } from "../../integrations/deployments/rules.ts";
import { listSuspects } from "../../integrations/queries/deployments.ts";
import { findMember } from "../../platform/access/queries/members.ts";
import { findOrganization } from "../../platform/access/queries/organizations.ts";
import { isAtLeast } from "../../platform/access/roles-and-scopes.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { type MessageDescriptor, masked, msg } from "../../platform/i18n/message.ts";
import { splitSecrets } from "../../platform/secrets/config-secrets.ts";
import { openConfig } from "../../platform/secrets/secret-box.ts";
import { acknowledgeToken, type OpenDelivery, type Outcome, type Transport } from "../outbox.ts";
import { isWaiting, reachOf } from "../people/trusted-address.ts";
import { forgetReferences, readAlertOfDelivery } from "../queries/alerts.ts";
import type { ReceivedAnswer, SentRequest } from "../queries/channel-deliveries.ts";
import { type Channel, readChannel } from "../queries/channels.ts";
import { applyOutcomeToChannel, reconsiderRefusal } from "./delivery.ts";
import type { ChannelAnswer, HttpChannelKind, Outgoing } from "./kind.ts";
import { type DigestEvent, isOfIncident, type Message } from "./message.ts";
import { type Words, wordsOf } from "./message-words.ts";
import { type ComposedRequest, composed, destinationOf, evaluateAnswer, post } from "./post.ts";
import { channelKind } from "./registry.ts";

const MAX_LOGGED = 4_096;
const MASK = "********";
/** Shorter ones are in every text. */
const SHORTEST_SECRET = 4;
/** Of an address, so that its words stay readable. */
const SHORTEST_PART = 8;

/** Everything in a configuration that must not be shown, as it is and as an address or a text of JSON would have it. */
function secretsOf(schema: TSchema, config: object): string[] {
  const secretTexts = Object.values(splitSecrets(schema, config).secret).flatMap(textsIn);
  // Some hold several addresses.
  const forms = secretTexts
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      ...partsOfAddress(secret),
    ]);
  return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_SECRET);
}

/** The path of a secret address is the secret, and so is each part of it that cannot be guessed. */
function partsOfAddress(secret: string): string[] {
  if (/^(?!https?:)[\w+.-]+:\/\//i.test(secret)) {
    return secret.split(/[^\w.~%+-]+/).filter(({ length }) => length >= SHORTEST_PART);
  }
  const url = URL.parse(secret);
  if (!url) return [];
  const parts = url.pathname.split("/").filter(({ length }) => length >= SHORTEST_PART);
  return [url.pathname + url.search, (url.pathname + url.search).slice(1), ...parts];
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** A request as the log shows it. */
function loggedRequest(request: ComposedRequest, secrets: readonly string[]): SentRequest {
  const { method, url, headers, body } = request;
  const path = masked(url.pathname + url.search, secrets);
  const shown = headers.map(([name, value]) => [
    name,
    name === "authorization" ? MASK : masked(value, secrets),
  ]);
  return {
    method,
    url: url.origin + path,
    headers: Object.fromEntries(shown),
    body: shownText(body, secrets),
  };
}

/** The beginning of an answer as the log shows it. */
const loggedAnswer = ({ status, body }: ChannelAnswer, secrets: readonly string[]): ReceivedAnswer => ({
  status,
  body: shownText(body, secrets),
});

/** PostgreSQL keeps no NUL. */
const shownText = (text: string, secrets: readonly string[]): string =>
  masked(text, secrets).slice(0, MAX_LOGGED).replaceAll("\0", "\ufffd").toWellFormed();

/** A message with the state of its incident at the time of sending: since when, and who acknowledged it. */
async function withIncident(db: Db, message: Message): Promise<Message> {
  if (message.incidentId === null) return message;
  const found = await readIncidentState(db, message.incidentId);
  if (!found) return message;
  const { severity, startedAt, resolvedAt, acknowledgedAt, acknowledgedBy: by, unacknowledged } = found;
  // What joined after the acknowledgement is to be acknowledged, too.
  const at = unacknowledged > 0 && message.event !== "acknowledged" ? null : acknowledgedAt;
  const suspect = suspectOf((await listSuspects(db, [found.id])).get(found.id) ?? [], startedAt);
  const deployment = suspect && messageOfSuspect(suspect, startedAt);
  return {
    ...message,
    incident: { severity, startedAt, resolvedAt, acknowledged: at === null ? null : { by, at }, deployment },
  };
}

/** Sends to the channels of organizations and of their people. */
export const channelTransport: Transport = {
  async send(ctx, delivery, signal) {
    const channel = delivery.channelId === null ? null : await readChannel(ctx.store.db, delivery.channelId);
    if (!channel || delivery.message === null) return refused(msg("delivery.channel_gone"));
    const message = await withIncident(ctx.store.db, messageOf(delivery.message, delivery));
    // A new channel can be tested before it is turned on.
    const isTried = channel.enabled || channel.disabledReason !== null;
    if (!isTried && !BEFORE_IT_IS_ON.has(message.event)) return refused(msg("delivery.channel_off"));
    const unsent = unsentWhy(ctx, channel, delivery, message);
    if (unsent) return refused(unsent);
    const person = await personOf(ctx, channel);
    if (person === "gone") return refused(msg("delivery.channel_gone"));
    if (channel.userId !== null && !isWanted(channel, message)) return refused(msg("delivery.channel_off"));
    const about = await readAlertOfDelivery(ctx.store.db, delivery.id);
    const reference = about?.reference ?? null;
    // A receiver may also be notified by other installations, or by this one after a restore: a plain number could occur twice.
    const key = about ? `${about.id}-${about.createdAt}` : subjectOf(delivery, message);
    const threadKey = isThreadKey(reference) ? reference : `vedette-${channel.uuid}-${key}`;
    const mayAcknowledge = person.may;
    const reaching = { ...ctx, network: reachOf(ctx.network, { isMember: person.may }) };
    const sending = { channel, delivery, message, reference, threadKey, mayAcknowledge };
    const outcome = await sendMessage(reaching, sending, signal);
    return { ...outcome, destination: destinationOf(ctx.secrets, channel) };
  },
  reconsidered: reconsiderRefusal,
  applyOutcome: applyOutcomeToChannel,
};

/** What an alert that an older version opened at a pager is called there. */
const isThreadKey = (reference: string | null): reference is string =>
  reference?.startsWith("vedette-") === true;

/** A message as it was written, leading to the incident that has its outage by now. */
function messageOf(json: string, { incidentId }: OpenDelivery): Message {
  const message = JSON.parse(json) as Message;
  return { ...message, incidentId: incidentId ?? message.incidentId };
}

const BEFORE_IT_IS_ON = new Set<Message["event"]>(["test", "confirmation"]);

/** Why this is not sent, before or after its receiver gave consent; null: it is. */
function unsentWhy(
  { config }: Context,
  channel: Channel,
  { recipient }: OpenDelivery,
  { event }: Message,
): MessageDescriptor | null {
  const waits = isWaiting(config, channel);
  if (event !== "confirmation") return waits ? msg("delivery.unconfirmed") : null;
  if (!waits || recipient !== normalizeEmail(channel.target)) return msg("delivery.needless");
  // Without a link, there is nothing to answer with.
  return config.publicUrl === null ? msg("mail.no_address") : null;
}

const refused = (why: MessageDescriptor): Outcome => ({ is: "refused", why });

interface Sending {
  channel: Channel;
  delivery: OpenDelivery;
  message: Message;
  reference: string | null;
  threadKey: string;
  mayAcknowledge: boolean;
}

/** Whether the receiver may acknowledge; `gone`: they are no longer a member. */
async function personOf(
  { store }: Context,
  { organizationId, userId }: Channel,
): Promise<"gone" | { may: boolean }> {
  if (userId === null) return { may: true };
  const member = await findMember(store.db, organizationId, { id: userId });
  return member ? { may: isAtLeast(member.role, "member") } : "gone";
}

/** Events that were turned off since are not sent. */
const isWanted = ({ events }: Channel, { event, digest }: Message): boolean =>
  (digest?.groups ?? [{ event }]).some((group) => {
    const family = /^(monitor|device|incident|certificate)\./.exec(group.event)?.[0];
    return family === undefined || events.some((one) => one.startsWith(family));
  });

async function sendMessage(ctx: Context, sending: Sending, signal: AbortSignal): Promise<Outcome> {
  const { channel, delivery, message, reference, threadKey, mayAcknowledge } = sending;
  const kind = channelKind(channel.type);
  if (!kind) return refused(msg("delivery.unknown_type", { type: channel.type }));
  const config = openConfig(ctx.secrets, channel) as never;
  const organization = await findOrganization(ctx.store.db, { id: channel.organizationId });
  const isAnswered = mayAcknowledge || message.event === "confirmation";
  const acknowledge = isAnswered ? acknowledgeLink(ctx, delivery.uuid, message) : null;
  const { publicUrl } = ctx.config;
  const now = ctx.clock.now();
  const outgoing: Outgoing = {
    id: delivery.uuid,
    message,
    words: ownWords(
      channel,
      wordsOf(message, channel, { now, publicUrl, acknowledgeUrl: acknowledge && acknowledge.url }),
    ),
    acknowledge,
    reference,
    threadKey,
    organization: { uuid: organization?.uuid ?? "", name: organization?.name ?? "" },
    isOwn: channel.userId !== null,
    now,
  };
  if ("send" in kind) return kind.send(ctx, { config, reader: channel, delivery, outgoing }, signal);
  const outcome = await sendRequest(ctx, kind, { config, outgoing }, signal);
  const moved = outcome === "unknown" ? {} : outcome.moved;
  if (outcome !== "unknown" && moved === undefined) return outcome;
  // It was removed over there, or is not known where it is to be sent now: said anew.
  await forgetReferences(ctx.store.db, delivery.id);
  const again = {
    config: { ...(config as object), ...moved } as never,
    outgoing: { ...outgoing, reference: null },
  };
  const anew = await sendRequest(ctx, kind, again, signal);
  const result: Outcome = anew === "unknown" ? refused(msg("delivery.error")) : anew;
  return outcome === "unknown" ? result : { moved, ...result };
}

const subjectOf = ({ uuid }: OpenDelivery, { event, incidentId }: Message): string =>
  isOfIncident({ event }) ? `incident-${incidentId}` : uuid;

/** Whose own a channel is set it up on another page. */
const ownWords = ({ userId }: Channel, words: Words): Words =>
  userId === null || words.link === null
    ? words
    : {
        ...words,
        link: {
          ...words.link,
          url: words.link.url.replace(/\/settings\/channels$/, "/settings/notifications"),
        },
      };

const ACKNOWLEDGED = new Set<Message["event"] | DigestEvent>([
  ...(["device.offline", "device.critical"] as const),
  ...(["monitor.down", "monitor.flapping", "reminder", "digest"] as const),
  ...(["incident.opened", "incident.updated"] as const),
]);

/** The link by which the receiver acknowledges the incident or confirms the address; null where there is nothing to do. */
function acknowledgeLink(
  { config, secrets }: Context,
  uuid: string,
  { event, incidentId, digest, incident }: Message,
): Outgoing["acknowledge"] {
  const isProblem = digest
    ? digest.groups.some(({ event: own }) => ACKNOWLEDGED.has(own) && !own.startsWith("incident."))
    : incidentId !== null;
  const hasAnswer = event === "confirmation" || (ACKNOWLEDGED.has(event) && isProblem);
  const isOver = isOfIncident({ event }) && incident?.resolvedAt !== null;
  const isDone = isOver || (incident !== undefined && incident.acknowledged !== null);
  if (config.publicUrl === null || !hasAnswer || isDone) return null;
  const token = acknowledgeToken(secrets, uuid);
  return { token, url: `${config.publicUrl}/acknowledge#${token}` };
}

async function sendRequest(
  ctx: Context,
  kind: HttpChannelKind,
  { config, outgoing }: { config: never; outgoing: Outgoing },
  signal: AbortSignal,
): Promise<Outcome | "unknown"> {
  const request = composed(kind.request(config, outgoing));
  // Readers of the log may not be allowed to acknowledge.
  const secrets = [
    ...secretsOf(kind.configSchema, config),
    ...(outgoing.acknowledge ? [outgoing.acknowledge.token] : []),
  ];
  const startedMs = performance.now();
  const answer = await post(request, ctx.network, signal);
  const durationMs = Math.round(performance.now() - startedMs);
  const log = { durationMs, request: loggedRequest(request, secrets), answer: null };
  if ("failure" in answer) {
    return { is: "postponed", why: { ...msg("delivery.unreached"), because: answer.failure }, log };
  }
  const outcome = evaluateAnswer(kind, answer, { where: request.url.host, secrets, now: ctx.clock.now() });
  if (outcome === "unknown") return outcome;
  return { ...outcome, log: { ...log, answer: loggedAnswer(answer, secrets) } };
}
