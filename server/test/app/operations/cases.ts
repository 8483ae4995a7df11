import { inviteMember } from "../../../src/accounts/invitations.ts";
import { issueKey } from "../../../src/accounts/issue-key.ts";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser, updateUser } from "../../../src/accounts/queries/users.ts";
import { startTotp } from "../../../src/accounts/two-factor.ts";
import { testMessage } from "../../../src/alerts/channels/message.ts";
import { createChannel } from "../../../src/alerts/operations/channels.ts";
import { listChannelDeliveries } from "../../../src/alerts/operations/deliveries.ts";
import { testChannel } from "../../../src/alerts/operations/test-channel.ts";
import { acknowledgeToken } from "../../../src/alerts/outbox.ts";
import { subscribeBrowser } from "../../../src/alerts/push/browsers.ts";
import { insertNotifications } from "../../../src/alerts/queries/notifications.ts";
import { insertChannelDeliveries } from "../../../src/alerts/queries/outbox.ts";
import type { VERBS } from "../../../src/app/operations.ts";
import { saveChatExchange } from "../../../src/assistant/conversations.ts";
import { insertAssistantCalls } from "../../../src/assistant/queries/assistant-calls.ts";
import type { ToolName } from "../../../src/checks/toolbox/registry.ts";
import { insertAffectedServices } from "../../../src/incidents/queries/affected-services.ts";
import {
  updateIncident as changeStoredIncident,
  insertIncidents,
} from "../../../src/incidents/queries/incident-changes.ts";
import {
  findNewestUpdate,
  insertIncidentComment,
  insertIncidentUpdates,
} from "../../../src/incidents/queries/incident-updates.ts";
import { createDeployment } from "../../../src/integrations/deployments/deployments.ts";
import { createDeploymentWebhook } from "../../../src/integrations/deployments/webhooks.ts";
import { vercelVerbs } from "../../../src/integrations/integration-verbs.ts";
import type { Provider } from "../../../src/integrations/registry.ts";
import { createDevice } from "../../../src/monitors/devices/devices.ts";
import { createEnrollmentToken } from "../../../src/monitors/devices/enroll-device.ts";
import { createDomain, type domainChecks } from "../../../src/monitors/domains.ts";
import { createMaintenance } from "../../../src/monitors/maintenance/windows.ts";
import type { domainMetrics } from "../../../src/monitors/metric-verbs.ts";
import { createService } from "../../../src/monitors/services.ts";
import type { Caller } from "../../../src/platform/access/caller.ts";
import { makeMailedToken } from "../../../src/platform/access/mailed-tokens.ts";
import { hashPassword } from "../../../src/platform/access/password.ts";
import { findOrganization, updateOrganization } from "../../../src/platform/access/queries/organizations.ts";
import { insertSession } from "../../../src/platform/access/queries/sessions.ts";
import { findUser, type MailedToken, type User } from "../../../src/platform/access/queries/users.ts";
import { hashToken } from "../../../src/platform/access/random-tokens.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import type { MonitorKind } from "../../../src/platform/monitor-defaults.ts";
import { callVerb } from "../../../src/platform/operations/call.ts";
import { namedFor } from "../../../src/platform/operations/operation.ts";
import { domainComponents, serviceComponents } from "../../../src/status-pages/contents/components.ts";
import {
  changeSubscriber,
  readSubscriber,
  type Subscriber,
} from "../../../src/status-pages/queries/subscribers.ts";
import { createStatusPage } from "../../../src/status-pages/status-pages.ts";
import { manageToken } from "../../../src/status-pages/subscriber/address.ts";
import { addSubscriber } from "../../../src/status-pages/subscriber/subscribers.ts";
import { createUpdateTemplate } from "../../../src/status-pages/update/templates.ts";
import { REFUSED_INPUTS } from "../../checks/toolbox/refused-inputs.ts";
import { newBrowser } from "../../harness/push.ts";
import type { TestServer } from "../../harness/server.ts";
import { totpCode } from "../../harness/totp.ts";
import { addLinked, addLinkedResource } from "../../integrations/linked.ts";
import { AZURE, agree, SECRETS } from "../../integrations/providers.ts";
import { addDevice } from "../../monitors/devices/add-device.ts";

/** Where a verb is tried: an organization of its own, its owner, and another person in it. */
export interface World {
  server: TestServer;
  owner: Caller;
  memberId: number;
}

/** How a verb is called with good sense; what it names belongs to the world's organization. */
export interface Case {
  input(world: World): Promise<object> | object;
  /** How it ends where it may be done. Default: `done`. */
  ends?: string;
  /** The audit row that it leaves behind; null for one that leaves none. Reads have none. */
  audits?: string | null;
  /** Names nothing of an organization: a person of another one does it there. */
  isElsewhere?: true;
  /** The row goes to another organization's log than the owner's. */
  isAuditedElsewhere?: true;
  /** Where it notes, before anything else, what can be used once: that stays so when the rest is undone. */
  usesUp?: string;
}

let counter = 0;

const emailOf = async ({ server, owner }: World): Promise<string> =>
  ((await findUser(server.ctx.store.db, owner.userId)) as User).email;

/** A person without an organization. */
async function makePerson({ ctx }: TestServer): Promise<number> {
  counter += 1;
  const email = `person${counter}@vedette.test`;
  const person = { uuid: crypto.randomUUID(), email, name: `Person ${counter}`, passwordHash: "none" };
  return (await insertUser(ctx.store.db, person, ctx.clock.now())) as number;
}

/** A person signed in, in that organization. */
export async function makeCaller(
  { ctx }: TestServer,
  more: Pick<Caller, "userId" | "organizationId" | "role">,
): Promise<Caller> {
  counter += 1;
  const { userId, organizationId } = more;
  const tokenHash = `session ${counter}`;
  const session = { tokenHash, userId, organizationId, address: "192.0.2.1", userAgent: "test" };
  const sessionId = await insertSession(ctx.store.db, session, ctx.clock.now());
  return {
    kind: "session",
    apiKeyId: null,
    keyExpiresAt: null,
    sessionId,
    allOrganizations: true,
    scopes: ["*:*"],
    plan: "expert",
    reports: true,
    requestId: `request ${counter}`,
    address: "192.0.2.1",
    ...more,
  };
}

/** An organization with its owner and a member. */
export async function makeWorld(server: TestServer): Promise<World> {
  const { userId, organization } = await server.createOrganization();
  const memberId = await makePerson(server);
  const membership = { userId: memberId, organizationId: organization.id, role: "member" } as const;
  await insertMember(server.ctx.store.db, membership, 0);
  const owner = await makeCaller(server, { userId, organizationId: organization.id, role: "owner" });
  return { server, owner, memberId };
}

const PASSWORD = "correct horse battery";

/** An invitation of the owner's to another organization, with its code. */
async function invited({ server, owner }: World): Promise<{ id: string; code: string }> {
  const { userId, organization } = await server.createOrganization();
  const host = await makeCaller(server, { userId, organizationId: organization.id, role: "owner" });
  const { email } = (await findUser(server.ctx.store.db, owner.userId)) as User;
  const input = { organization: String(organization.id), email, role: "member" } as const;
  const { id, code } = await callVerb({ ...server.ctx, caller: host }, inviteMember, input);
  return { id: String(id), code };
}

/** A browser of the owner's, subscribed at an address that answers nothing. */
async function pushBrowserOf({ server, owner }: World): Promise<{ id: string }> {
  const input = newBrowser("https://127.0.0.1:9/").subscription;
  const { id } = await callVerb({ ...server.ctx, caller: owner }, subscribeBrowser, input);
  return { id: String(id) };
}

async function withPassword({ server, owner }: World): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await updateUser(server.ctx.store.db, owner.userId, { passwordHash }, 0);
}

async function invitationOf({ server, owner }: World): Promise<{ organization: string; invitation: string }> {
  const organization = String(owner.organizationId);
  const input = { organization, email: "guest@vedette.test", role: "member" } as const;
  const { id } = await callVerb({ ...server.ctx, caller: owner }, inviteMember, input);
  return { organization, invitation: String(id) };
}

/** The token of a link that was mailed to the owner. */
async function mailed(
  { server: { ctx }, owner: { userId } }: World,
  which: Pick<MailedToken, "purpose" | "email">,
): Promise<{ token: string }> {
  return { token: await makeMailedToken({ ...ctx, db: ctx.store.db }, { userId, ...which }) };
}

async function keyOf({ server, owner }: World): Promise<{ id: string }> {
  const { userId, organizationId } = owner;
  const wanted = { userId, organizationId, name: "A key", scopes: ["*:*"] };
  const { id } = await issueKey({ ...server.ctx, db: server.ctx.store.db }, wanted);
  return { id: String(id) };
}

async function incidentOf({ server, owner }: World): Promise<{ id: string }> {
  const uuid = crypto.randomUUID();
  const { organizationId } = owner;
  const ids = await insertIncidents(server.ctx.store.db, [{ ...INCIDENT, uuid, organizationId }], 0);
  return { id: String(ids.get(uuid)) };
}

async function linked(world: World): Promise<{ token: string }> {
  const { server, owner } = world;
  const { db } = server.ctx.store;
  const { id } = await incidentOf(world);
  const channelId = Number((await channelOf(world)).id);
  const uuid = crypto.randomUUID();
  const message = JSON.stringify({ ...testMessage(0), incidentId: Number(id) });
  const { organizationId } = owner;
  const now = server.ctx.clock.now();
  const delivery = {
    uuid,
    organizationId,
    channelId,
    threadId: null,
    recipient: "",
    event: "test",
    message,
    incidentId: Number(id),
  };
  await insertChannelDeliveries(db, [{ ...delivery, givesUpAt: now }], { now, heldUntil: now + 3_600_000 });
  return { token: acknowledgeToken(server.ctx.secrets, uuid) };
}

async function groupedIncidentOf(world: World): Promise<{ id: string }> {
  const { id } = await incidentOf(world);
  const { organizationId } = world.owner;
  const affectedServices = [1, 2].map((monitorId) => ({
    ...{
      monitorId: monitorId + Number(id) * 1_000_000,
      name: `site-${monitorId}`,
      outageStartedAt: 0,
      outageEndedAt: 1,
    },
  }));
  await insertAffectedServices(world.server.ctx.store.db, [
    { id: Number(id), organizationId, affectedServices },
  ]);
  return { id };
}

async function resolvedIncidentOf(world: World): Promise<{ id: string }> {
  const { id } = await incidentOf(world);
  const change = { status: "resolved", resolvedAt: 1 };
  await changeStoredIncident(world.server.ctx.store.db, Number(id), change, 1);
  return { id };
}

async function incidentUpdateOf(world: World): Promise<{ id: string; updateId: string }> {
  const { id } = await incidentOf(world);
  const { db } = world.server.ctx.store;
  const { organizationId, userId } = world.owner;
  const said = { status: "open", message: "Looking.", descriptor: null, at: 0 };
  await insertIncidentUpdates(db, [{ organizationId, incidentId: Number(id), userId, ...said }]);
  return { id, updateId: String((await findNewestUpdate(db, Number(id))).id) };
}

async function incidentCommentOf(world: World): Promise<{ id: string; commentId: string }> {
  const { id } = await incidentOf(world);
  const { organizationId, userId } = world.owner;
  const comment = { organizationId, incidentId: Number(id), userId, content: "Hm.", isInternal: true, at: 0 };
  return { id, commentId: String(await insertIncidentComment(world.server.ctx.store.db, comment)) };
}

async function notificationOf({ server, owner }: World): Promise<{ id: string }> {
  const { db } = server.ctx.store;
  const uuid = crypto.randomUUID();
  const { organizationId } = owner;
  const about = { monitorId: null, incidentId: null, event: "monitor.down", type: "error" } as const;
  const words = { message: "Shop is down.", descriptor: msg("notification.flapping", { name: "Shop" }) };
  const alone = { outageStartedAt: null, togetherMessage: null };
  await insertNotifications(db, [
    { ...about, ...words, ...alone, uuid, organizationId, idempotencyKey: uuid, createdAt: 0 },
  ]);
  return { id: uuid };
}

const TARGET = "http://127.0.0.1:1/";

async function domainOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createDomain, { url: TARGET });
  return { id: String(id) };
}

const newService = () =>
  ({ name: "Port", protocol: "tcp", protocolConfig: { host: "127.0.0.1", port: 1 } }) as const;

async function serviceOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createService, newService());
  return { id: String(id) };
}

async function deviceOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await addDevice(server.ctx.store, owner.organizationId);
  return { id: String(id) };
}

const newSlack = () => ({ name: `Slack ${(counter += 1)}`, type: "slack", config: { url: TARGET } });

async function channelOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createChannel, newSlack());
  return { id: String(id) };
}

async function unconfirmedChannelOf({ server, owner }: World): Promise<{ id: string }> {
  const address = `outsider${(counter += 1)}@elsewhere.test`;
  const channel = { name: address, type: "email", config: { address } };
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createChannel, channel);
  return { id: String(id) };
}

async function deliveryOf(world: World): Promise<{ id: string; delivery: string }> {
  const channel = await channelOf(world);
  const { server, owner } = world;
  await callVerb({ ...server.ctx, caller: owner }, testChannel, channel);
  const { items } = await callVerb({ ...server.ctx, caller: owner }, listChannelDeliveries, channel);
  return { ...channel, delivery: String(items[0]?.id) };
}

const newWindow = () => ({ title: "Upgrade", duration: 3600, everything: true });

async function windowOf({ server, owner }: World, more: object = {}): Promise<{ id: string }> {
  const input = { ...newWindow(), ...more };
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createMaintenance, input);
  return { id: String(id) };
}

async function pageOf({ server, owner }: World, more: object = {}): Promise<{ id: string; slug: string }> {
  const page = { ...newPage(), ...more };
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createStatusPage, page);
  return { id: String(id), slug: page.slug };
}

/** A page with a subscriber. */
async function subscriberOf(world: World) {
  const { id } = await pageOf(world);
  const { server, owner } = world;
  const added = { id, kind: "email", address: "ada@vedette.test", agreed: false } as const;
  const { id: subscriberId } = await callVerb({ ...server.ctx, caller: owner }, addSubscriber, added);
  return { id, subscriberId: String(subscriberId) };
}
/** One pixel. */
const SMALL_GIF = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** A subscriber whose link that is. */
async function subscriptionOf(world: World) {
  const { db } = world.server.ctx.store;
  const { subscriberId } = await subscriberOf(world);
  const { uuid } = (await readSubscriber(db, { id: Number(subscriberId) })) as Subscriber;
  return { token: manageToken(world.server.ctx.secrets, uuid) };
}

/** One with a pending confirmation request. */
async function confirmationOf(world: World) {
  const { db } = world.server.ctx.store;
  const { subscriberId } = await subscriberOf(world);
  const requested = { confirmationHash: hashToken(subscriberId), askedAt: Date.now() };
  await changeSubscriber(db, Number(subscriberId), requested, Date.now());
  return { token: subscriberId };
}

const newTemplate = () => ({ name: "Provider", texts: [{ language: "en", message: "We wait." }] }) as const;

async function templateOf({ server, owner }: World): Promise<{ id: string }> {
  const input = newTemplate();
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createUpdateTemplate, input as never);
  return { id: String(id) };
}

const newExchange = () => ({ userMessage: "Why is it slow?", assistantMessage: "Its database is." });

async function conversationOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb({ ...server.ctx, caller: owner }, saveChatExchange, newExchange());
  return { id: String(id) };
}

/** A call that waits for the owner, which leaves no audit row. */
async function waitingCallOf(world: World): Promise<{ id: string }> {
  const { id } = await conversationOf(world);
  const { clock, store } = world.server.ctx;
  const uuid = crypto.randomUUID();
  const createdAt = clock.now();
  const said = { title: "List domains", description: "", arguments: "{}", subject: null, result: null };
  const call = { uuid, conversationId: Number(id), messageId: 1, tool: "list_domains", ...said };
  await insertAssistantCalls(store.db, [
    { ...call, state: "waiting", createdAt, expiresAt: createdAt + 60_000 },
  ]);
  return { id: uuid };
}

const coolifyInstance = ({ server }: World) => ({
  url: server.ctx.config.vercelApiUrl,
  apiKey: SECRETS.coolify,
});

/** A linked account, without a request to its provider. */
const accountOf = (provider: Provider) => async (world: World) => ({
  id: String((await addLinked(world, provider)).id),
});

async function resourceOf(world: World, provider: Provider) {
  const { id } = await addLinked(world, provider);
  return { id: String(id), resource: String(await addLinkedResource(world, id, provider)) };
}

/** What can be done with accounts of a provider, and what they have. */
const accountsOf = <P extends Provider>(provider: P) =>
  namedFor<P, Record<SharedAccountVerb, Case>>(provider, {
    list: ALL,
    get: { input: accountOf(provider) },
    update: {
      input: async (world) => ({ ...(await accountOf(provider)(world)), name: "Other" }),
      audits: "update integration",
    },
    remove: { input: accountOf(provider), audits: "unlink integration" },
    sync: { input: accountOf(provider) },
    resources: { input: accountOf(provider) },
    monitor: { input: (world) => resourceOf(world, provider), audits: "monitor resource" },
  });

type SharedAccountVerb = "list" | "get" | "update" | "remove" | "sync" | "resources" | "monitor";

/** With what a person comes back who has agreed. */
async function agreed({ server, owner }: World) {
  const { authorizationUrl } = await callVerb({ ...server.ctx, caller: owner }, vercelVerbs.create, {});
  return agree(authorizationUrl);
}

const newDeployment = () => ({ name: "shop", version: "1a2b3c4d" });

async function deploymentCase({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb({ ...server.ctx, caller: owner }, createDeployment, newDeployment());
  return { id: String(id) };
}

const newDeploymentWebhook = () => ({ name: "Shop", provider: "github" }) as const;

async function deploymentWebhookOf({ server, owner }: World): Promise<{ id: string; uuid: string }> {
  const made = await callVerb(
    { ...server.ctx, caller: owner },
    createDeploymentWebhook,
    newDeploymentWebhook(),
  );
  return { id: String(made.id), uuid: made.uuid };
}

const idOnly = async (found: Promise<{ id: string }>) => ({ id: (await found).id });

const newPage = () => ({ name: "Status", slug: `status-${(counter += 1)}` });

/** What a page shows of a monitor, under the name of the field that its kind has. */
async function linkedOf(
  world: World,
  verbs: typeof domainComponents,
  monitor: Record<string, string>,
): Promise<{ id: string; linkId: string }> {
  const { server, owner } = world;
  const { id } = await pageOf(world);
  const input = { id, displayName: "Shop", ...monitor } as never;
  const linked = await callVerb({ ...server.ctx, caller: owner }, verbs.addToPage, input);
  return { id, linkId: String(linked.id) };
}

const INCIDENT = {
  monitorId: null,
  automatic: false,
  resolvedAt: null,
  title: "Down",
  description: "Down.",
  titleMessage: null,
  descriptionMessage: null,
  status: "open",
  severity: "high",
  impact: "major",
  affectedServices: [] as never[],
  startedAt: 0,
  detectedAt: 0,
} as const;

const organizationOf = ({ owner }: World): string => String(owner.organizationId);
const newAccount = () => ({ email: `new${(counter += 1)}@vedette.test`, password: PASSWORD });
const memberOf = (world: World) => ({ organization: organizationOf(world), member: String(world.memberId) });

const ALL: Case = { input: () => ({}), isElsewhere: true };

/** The metrics of one kind of monitor. */
const metricsOf = <K extends MonitorKind>(kind: K, one: (world: World) => Promise<{ id: string }>) =>
  namedFor<K, Record<keyof typeof domainMetrics, Case>>(kind, {
    limits: ALL,
    stats: ALL,
    sparklines: { input: async (world) => ({ ids: (await one(world)).id }), isElsewhere: true },
    trends: { input: async (world) => ({ [kind]: (await one(world)).id }) },
    history: { input: one },
    locations: { input: one },
    phases: { input: one },
    days: { input: one },
    statusHistory: { input: one },
    objective: { input: one },
    summary: { input: one },
  });

/** To check monitors of one kind, where no probe runs. */
const checksOf = <K extends MonitorKind>(
  kind: K,
  one: (world: World) => Promise<{ id: string }>,
  create: () => object,
) =>
  namedFor<K, Record<keyof typeof domainChecks, Case>>(kind, {
    check: { input: one, ends: "unavailable" },
    test: { input: create, isElsewhere: true },
    testChange: { input: one },
  });

/** To show monitors of one kind on a status page. */
function componentsOf<K extends MonitorKind>(
  kind: K,
  verbs: typeof domainComponents,
  one: (world: World) => Promise<{ id: string }>,
) {
  const link = async (world: World) => linkedOf(world, verbs, { [`${kind}Id`]: (await one(world)).id });
  return namedFor<K, Record<keyof typeof domainComponents, Case>>(kind, {
    addToPage: {
      input: async (world) => ({
        id: (await pageOf(world)).id,
        [`${kind}Id`]: (await one(world)).id,
        displayName: "Shop",
      }),
      audits: "add page component",
    },
    changeOnPage: {
      input: async (world) => ({ ...(await link(world)), displayName: "Store" }),
      audits: "change page component",
    },
    removeFromPage: { input: link, audits: "remove page component" },
  });
}

const newDevice = () => ({ name: `Device ${(counter += 1)}` });

/** A machine that comes with an unknown token. */
const newMachine = () => ({
  instance: crypto.randomUUID(),
  ...{ machineId: null, hostname: "web-1", platform: "linux", architecture: "x64" },
});

const newReports = () => ({
  agent: {
    ...{ version: "1.0.0", machineId: null, bootId: "boot" },
    ...{ instance: crypto.randomUUID(), run: crypto.randomUUID() },
  },
  ...{ sentAt: 0, dropped: 0, reports: [{ sequence: 1, at: 0 }] },
});

const newEnrollmentToken = () => ({ name: `Machines ${(counter += 1)}` });

async function enrollmentTokenOf({ server, owner }: World): Promise<{ id: string }> {
  const { id } = await callVerb(
    { ...server.ctx, caller: owner },
    createEnrollmentToken,
    newEnrollmentToken(),
  );
  return { id: String(id) };
}

async function realDeviceOf({ server, owner }: World): Promise<{ id: string }> {
  const { device } = await callVerb({ ...server.ctx, caller: owner }, createDevice, newDevice());
  return { id: String(device.id) };
}

/** Names nothing: a caller with reports gets their own organization's. */
const REPORT: Case = { input: () => ({}), isElsewhere: true };

/** Tools know of no organization; what they refuse, they refuse to everybody. */
const toolCases = () =>
  Object.fromEntries(
    Object.entries(REFUSED_INPUTS).map(([name, input]) => [
      name,
      { input: () => input, ends: "invalid_input", audits: null, isElsewhere: true },
    ]),
  ) as unknown as Record<ToolName, Case>;

/** Every verb has one: the type says so, and the test. */
export const CASES: Record<keyof typeof VERBS, Case> = {
  ...toolCases(),
  ...accountsOf("azure"),
  ...accountsOf("coolify"),
  ...accountsOf("vercel"),
  azureCreate: { input: () => AZURE, audits: "link integration", isElsewhere: true },
  coolifyCreate: { input: coolifyInstance, audits: "link integration", isElsewhere: true },
  vercelCreate: ALL,
  vercelRelink: { input: accountOf("vercel") },
  vercelComplete: { input: agreed, audits: "link integration", usesUp: "used_link_states" },
  listIntegrations: ALL,
  listProviders: ALL,
  listDeployments: ALL,
  getDeployment: { input: deploymentCase },
  createDeployment: { input: newDeployment, audits: "create deployments", isElsewhere: true },
  updateDeployment: {
    input: async (world) => ({ ...(await deploymentCase(world)), status: "failed" }),
    audits: "update deployments",
  },
  deleteDeployment: { input: deploymentCase, audits: "delete deployments" },
  listDeploymentWebhooks: ALL,
  getDeploymentWebhook: { input: (world) => idOnly(deploymentWebhookOf(world)) },
  createDeploymentWebhook: {
    input: newDeploymentWebhook,
    audits: "create deployment webhook",
    isElsewhere: true,
  },
  updateDeploymentWebhook: {
    input: async (world) => ({ id: (await deploymentWebhookOf(world)).id, renewSecret: true }),
    audits: "update deployment webhook",
  },
  deleteDeploymentWebhook: {
    input: (world) => idOnly(deploymentWebhookOf(world)),
    audits: "delete deployment webhook",
  },
  receiveDeploymentWebhook: {
    input: async (world) => ({ id: (await deploymentWebhookOf(world)).uuid, body: "{}", headers: {} }),
    ends: "unauthenticated",
  },
  ...metricsOf("domain", domainOf),
  ...metricsOf("service", serviceOf),
  ...checksOf("domain", domainOf, () => ({ url: TARGET })),
  ...checksOf("service", serviceOf, newService),
  ...componentsOf("domain", domainComponents, domainOf),
  ...componentsOf("service", serviceComponents, serviceOf),
  deviceAddToPage: {
    input: async (world) => ({ id: (await pageOf(world)).id, deviceId: 1 }),
    ends: "invalid_input",
    audits: null,
  },
  deviceChangeOnPage: {
    input: async (world) => ({ id: (await pageOf(world)).id, linkId: "1" }),
    ends: "not_found",
    audits: null,
  },
  deviceRemoveFromPage: {
    input: async (world) => ({ id: (await pageOf(world)).id, linkId: "1" }),
    ends: "not_found",
    audits: null,
  },
  acceptInvitation: { input: invited, audits: "accept invitation", isAuditedElsewhere: true },
  acknowledgeByLink: { input: linked, audits: "acknowledge incidents", isAuditedElsewhere: true },
  acknowledgeIncident: { input: incidentOf, audits: "acknowledge incidents" },
  acknowledgeIncidents: {
    input: async (world) => ({ action: "acknowledge", ids: [(await incidentOf(world)).id] }),
    audits: "acknowledge incidents",
    isElsewhere: true,
  },
  addIncidentComment: {
    input: async (world) => ({ ...(await incidentOf(world)), content: "Hm." }),
    audits: "add incident comment",
  },
  addIncidentUpdate: {
    input: async (world) => ({ ...(await incidentOf(world)), message: "Looking.", status: "identified" }),
    audits: "add incident update",
  },
  createUpdateTemplate: { input: newTemplate, audits: "create update template", isElsewhere: true },
  deleteUpdateTemplate: { input: templateOf, audits: "delete update template" },
  draftIncidentUpdate: { input: incidentOf },
  getUpdateTemplate: { input: templateOf },
  listBuiltInTemplates: { input: () => ({}), isElsewhere: true },
  listUpdateTemplates: { input: () => ({}), isElsewhere: true },
  updateUpdateTemplate: {
    input: async (world) => ({ ...(await templateOf(world)), name: "Other" }),
    audits: "change update template",
  },
  addMember: {
    input: (world) => ({
      organization: organizationOf(world),
      email: `new${(counter += 1)}@vedette.test`,
      role: "member",
      password: PASSWORD,
    }),
    audits: "add member",
  },
  resendConfirmation: { input: unconfirmedChannelOf, audits: "request channel confirmation" },
  requestEmailChange: {
    async input(world) {
      await withPassword(world);
      return { email: `new${(counter += 1)}@vedette.test`, password: PASSWORD };
    },
    audits: "request email change",
    isElsewhere: true,
  },
  assignIncident: {
    input: async (world) => ({ ...(await incidentOf(world)), userId: world.memberId }),
    audits: "assign incidents",
  },
  addSubscriber: {
    input: async (world) => ({ id: (await pageOf(world)).id, kind: "email", address: "ada@vedette.test" }),
    audits: "add subscriber",
  },
  arrangePage: {
    input: async (world) => ({
      id: (await pageOf(world)).id,
      groups: [{ name: "Shops", components: [] }],
    }),
    audits: "arrange page",
  },
  checkCustomDomain: {
    input: async (world) => ({ id: (await pageOf(world, { customDomain: "status.shop.test" })).id }),
    audits: "check custom domain",
  },
  cancelInvitation: { input: invitationOf, audits: "cancel invitation" },
  changeDomains: {
    input: async (world) => ({ action: "pause", ids: [(await domainOf(world)).id] }),
    audits: "pause domains",
    isElsewhere: true,
  },
  changePassword: {
    async input(world) {
      await withPassword(world);
      return { currentPassword: PASSWORD, password: "battery horse correct" };
    },
    audits: "change password",
    isElsewhere: true,
  },
  changePreferences: { input: () => ({ theme: "dark" }), audits: null, isElsewhere: true },
  changeRole: { input: (world) => ({ ...memberOf(world), role: "viewer" }), audits: "change role" },
  chartDeviceMetrics: { input: deviceOf },
  deviceStatusHistory: { input: deviceOf },
  checkDomain: { input: () => ({ domain: "nowhere" }), ends: "invalid_input" },
  confirmEmail: {
    input: (world) => mailed(world, { purpose: "change email", email: `new${(counter += 1)}@vedette.test` }),
    audits: "change email",
  },
  changeServices: {
    input: async (world) => ({ action: "pause", ids: [(await serviceOf(world)).id] }),
    audits: "pause services",
    isElsewhere: true,
  },
  changeDevices: {
    input: async (world) => ({ action: "pause", ids: [(await realDeviceOf(world)).id] }),
    audits: "pause devices",
    isElsewhere: true,
  },
  createDevice: { input: newDevice, audits: "create devices", isElsewhere: true },
  createEnrollmentToken: {
    input: newEnrollmentToken,
    audits: "create enrollment token",
    isElsewhere: true,
  },
  deleteChatConversation: { input: conversationOf, audits: null },
  getChatConversation: { input: conversationOf },
  listChatConversations: { input: () => ({}), isElsewhere: true },
  renameChatConversation: {
    input: async (world) => ({ ...(await conversationOf(world)), title: "Slow shop" }),
    audits: null,
  },
  answerPrompt: { input: () => ({ message: "Why?" }), audits: null, isElsewhere: true },
  approveAssistantCall: { input: waitingCallOf, audits: null },
  declineAssistantCall: { input: waitingCallOf, audits: null },
  getAssistant: { input: () => ({}), isElsewhere: true },
  stopAnswer: { input: () => ({ answerId: crypto.randomUUID() }), audits: null, isElsewhere: true },
  saveChatExchange: { input: newExchange, audits: null, isElsewhere: true },
  deleteDevice: { input: realDeviceOf, audits: "delete devices" },
  deviceStats: { input: () => ({}), isElsewhere: true },
  enrollDevice: { input: newMachine, ends: "unauthenticated", audits: null },
  getDevice: { input: realDeviceOf },
  listApplicationChanges: { input: realDeviceOf },
  listDeviceApplications: { input: realDeviceOf },
  listDeviceConnections: { input: realDeviceOf },
  listDeviceContainers: { input: realDeviceOf },
  listDeviceProcesses: { input: realDeviceOf },
  listDevices: { input: () => ({}), isElsewhere: true },
  listEnrollmentTokens: { input: () => ({}), isElsewhere: true },
  regenerateDeviceToken: { input: realDeviceOf, audits: "regenerate device token" },
  reportDevice: { input: newReports, ends: "unauthenticated" },
  revokeEnrollmentToken: { input: enrollmentTokenOf, audits: "revoke enrollment token" },
  updateDevice: {
    input: async (world) => ({ ...(await realDeviceOf(world)), tags: ["edge"] }),
    audits: "update devices",
  },
  confirmTotp: {
    async input(world) {
      await withPassword(world);
      const { server, owner } = world;
      const offer = { password: PASSWORD };
      const { secret } = await callVerb({ ...server.ctx, caller: owner }, startTotp, offer);
      return { code: totpCode(secret, server.ctx.clock.now()) };
    },
    audits: "enable two-factor",
    isElsewhere: true,
  },
  createChannel: { input: newSlack, audits: "create channels", isElsewhere: true },
  createDomain: { input: () => ({ url: TARGET }), audits: "create domains", isElsewhere: true },
  createIncident: { input: () => ({ title: "Slow" }), audits: "create incidents", isElsewhere: true },
  createMaintenance: { input: newWindow, audits: "create maintenance", isElsewhere: true },
  createStatusPage: { input: newPage, audits: "create status-pages", isElsewhere: true },
  createService: { input: newService, audits: "create services", isElsewhere: true },
  createKey: {
    async input({ server, owner }) {
      const { email } = (await findUser(server.ctx.store.db, owner.userId)) as User;
      return { email, name: "Command line", scopes: ["*:*"] };
    },
  },
  createUser: { input: () => ({ email: `new${(counter += 1)}@vedette.test`, password: PASSWORD }) },
  declineInvitation: {
    input: async (world) => ({ id: (await invited(world)).id }),
    audits: "decline invitation",
    isAuditedElsewhere: true,
  },
  deleteChannel: { input: channelOf, audits: "delete channels" },
  deleteDomain: { input: domainOf, audits: "delete domains" },
  deleteIncident: { input: incidentOf, audits: "delete incidents" },
  deleteIncidentComment: { input: incidentCommentOf, audits: "delete incident comment" },
  deleteIncidentUpdate: { input: incidentUpdateOf, audits: "delete incident update" },
  deleteMaintenance: { input: windowOf, audits: "delete maintenance" },
  deleteOrganization: {
    async input(world) {
      const { db } = world.server.ctx.store;
      const { userId, organizationId } = world.owner;
      const other = await world.server.createOrganization();
      const membership = { userId, organizationId: other.organization.id, role: "member" } as const;
      await insertMember(db, membership, 0);
      const name = (await findOrganization(db, { id: organizationId }))?.name;
      return { organization: organizationOf(world), name };
    },
    audits: "delete organization",
  },
  deleteStatusPage: {
    input: async (world) => ({ id: (await pageOf(world)).id }),
    audits: "delete status-pages",
  },
  deleteService: { input: serviceOf, audits: "delete services" },
  describeCaller: { input: () => ({}), isElsewhere: true },
  disableTotp: {
    async input(world) {
      await withPassword(world);
      return { password: PASSWORD };
    },
    audits: "disable two-factor",
    isElsewhere: true,
  },
  editIncidentComment: {
    input: async (world) => ({ ...(await incidentCommentOf(world)), content: "Ah." }),
    audits: "edit incident comment",
  },
  editIncidentUpdate: {
    input: async (world) => ({ ...(await incidentUpdateOf(world)), message: "Found." }),
    audits: "edit incident update",
  },
  endMaintenance: { input: windowOf, audits: "end maintenance" },
  endOtherSessions: { input: () => ({}), audits: "end other sessions", isElsewhere: true },
  endSession: { input: ({ owner }) => ({ id: String(owner.sessionId) }), audits: "end session" },
  exportAuditLog: { input: (world) => ({ organization: organizationOf(world) }) },
  exportMonitors: { input: () => ({}), isElsewhere: true },
  fetchTitle: { input: () => ({ url: TARGET }), ends: "invalid_input", isElsewhere: true },
  removePageLogo: {
    input: async (world) => ({ id: (await pageOf(world)).id }),
    audits: "remove page logo",
  },
  setPageLogo: {
    input: async (world) => ({ id: (await pageOf(world)).id, content: SMALL_GIF }),
    audits: "set page logo",
  },
  requestPasswordReset: { input: async (world) => ({ email: await emailOf(world) }) },
  foundOrganization: { input: () => ({ name: "Second" }), audits: "create organization", isElsewhere: true },
  getChannel: { input: channelOf },
  getDashboardStats: { input: () => ({}), isElsewhere: true },
  getDomain: { input: domainOf },
  getDomainIcon: { input: domainOf },
  getDeviceReport: REPORT,
  getDomainReport: REPORT,
  getIncidentReport: REPORT,
  getServiceReport: REPORT,
  explainIncident: { input: incidentOf },
  getEvidence: { input: incidentOf },
  listIncidentDeliveries: { input: incidentOf },
  listIncidentDevices: { input: incidentOf },
  getIncident: { input: incidentOf },
  getKey: { input: keyOf },
  getPostmortem: { input: incidentOf },
  getPublicPage: { input: async (world) => ({ slug: (await pageOf(world)).slug }) },
  listPagesShowing: {
    input: async (world) => ({ ids: String((await domainOf(world)).id) }),
    isElsewhere: true,
  },
  findFreeSlug: { input: () => ({ name: "Example" }), isElsewhere: true },
  previewStatusPage: { input: async (world) => ({ id: (await pageOf(world)).id, name: "State" }) },
  getStatusPage: { input: async (world) => ({ id: (await pageOf(world)).id }) },
  getService: { input: serviceOf },
  getMaintenance: { input: windowOf },
  getMailSettings: { input: () => ({}), isElsewhere: true },
  getOrganization: { input: (world) => ({ organization: organizationOf(world) }) },
  getOrganizationUsage: { input: (world) => ({ organization: organizationOf(world) }) },
  exportSubscribers: { input: async (world) => ({ id: (await pageOf(world)).id }) },
  importSubscribers: {
    input: async (world) => ({ id: (await pageOf(world)).id, addresses: ["ada@vedette.test"] }),
    audits: "import subscribers",
  },
  importMonitors: {
    input: () => ({ content: TARGET, dryRun: false }),
    audits: "create domains",
    isElsewhere: true,
  },
  inviteMember: {
    input: (world) => ({ organization: organizationOf(world), email: "guest@vedette.test", role: "member" }),
    audits: "invite member",
  },
  keepOrganization: {
    async input(world) {
      const { store, clock } = world.server.ctx;
      const deletesAt = clock.now() + 60_000;
      await updateOrganization(store.db, world.owner.organizationId, { deletesAt }, 0);
      return { organization: organizationOf(world) };
    },
    audits: "keep organization",
  },
  leaveOrganization: {
    async input(world) {
      const { ctx } = world.server;
      const other = await world.server.createOrganization();
      const { userId } = world.owner;
      const membership = { userId, organizationId: other.organization.id, role: "member" } as const;
      await insertMember(ctx.store.db, membership, 0);
      const { organizationId } = world.owner;
      const heir = { userId: await makePerson(world.server), organizationId, role: "owner" } as const;
      await insertMember(ctx.store.db, heir, 0);
      return { organization: organizationOf(world) };
    },
    audits: "leave organization",
  },
  listChannelDeliveries: { input: channelOf },
  listChannels: { input: () => ({}), isElsewhere: true },
  listAuditLog: { input: (world) => ({ organization: organizationOf(world) }) },
  listDeviceMetrics: { input: deviceOf },
  listDeviceSparklines: { input: () => ({}), isElsewhere: true },
  listDomains: { input: () => ({}), isElsewhere: true },
  listIncidentComments: { input: incidentOf },
  listIncidentUpdates: { input: incidentOf },
  listIncidents: { input: () => ({}), isElsewhere: true },
  listInvitations: { input: (world) => ({ organization: organizationOf(world) }) },
  listKeys: { input: () => ({}), isElsewhere: true },
  listMaintenance: { input: () => ({}), isElsewhere: true },
  listMembers: { input: (world) => ({ organization: organizationOf(world) }) },
  listNotifications: { input: () => ({}), isElsewhere: true },
  listOrganizations: { input: () => ({}), isElsewhere: true },
  listOwnInvitations: { input: () => ({}), isElsewhere: true },
  listRecentActivity: { input: () => ({}), isElsewhere: true },
  listHeartbeats: { input: serviceOf },
  listSubscribers: { input: async (world) => ({ id: (await pageOf(world)).id }) },
  listStatusPages: { input: () => ({}), isElsewhere: true },
  listServices: { input: () => ({}), isElsewhere: true },
  listPushBrowsers: { input: () => ({}), isElsewhere: true },
  subscribeBrowser: {
    input: () => newBrowser("https://127.0.0.1:9/").subscription,
    audits: null,
    isElsewhere: true,
  },
  testPushBrowser: { input: pushBrowserOf, audits: null },
  unsubscribeBrowser: { input: pushBrowserOf, audits: null },
  listSessions: { input: () => ({}), isElsewhere: true },
  splitIncident: { input: groupedIncidentOf, audits: "split incidents" },
  mergeIncident: {
    input: async (world) => ({ ...(await incidentOf(world)), into: (await incidentOf(world)).id }),
    audits: "merge incidents",
  },
  mintKey: {
    input: () => ({ name: "Mine", scopes: ["read:*"] }),
    audits: "create api-keys",
    isElsewhere: true,
  },
  previewMaintenance: { input: () => ({ duration: 3600 }), isElsewhere: true },
  readAllNotifications: { input: () => ({}), audits: null, isElsewhere: true },
  readAuthState: { input: () => ({}) },
  changeSubscription: {
    input: async (world) => ({ ...(await subscriptionOf(world)), components: null, language: "de" }),
    audits: null,
  },
  confirmSubscription: { input: confirmationOf, audits: null },
  endSubscription: { input: subscriptionOf, audits: null },
  readConfirmation: { input: confirmationOf },
  readSubscription: { input: subscriptionOf },
  subscribe: {
    input: async (world) => ({
      ...{ slug: (await pageOf(world)).slug, kind: "email", address: "ada@vedette.test" },
    }),
    audits: null,
  },
  removeSubscriber: { input: subscriberOf, audits: "remove subscriber" },
  removeMember: { input: memberOf, audits: "remove member" },
  renameKey: {
    input: async (world) => ({ ...(await keyOf(world)), name: "Renamed" }),
    audits: "update api-keys",
  },
  renameOrganization: {
    input: (world) => ({ organization: organizationOf(world), name: "Renamed" }),
    audits: "update organization",
  },
  revokeKey: { input: keyOf, audits: "delete api-keys" },
  search: { input: () => ({ q: "shop" }), isElsewhere: true },
  listJobs: { input: () => ({}) },
  listUsers: { input: () => ({}) },
  readAcknowledgement: { input: linked },
  readInvitation: { input: async (world) => ({ invitation: (await invited(world)).code }) },
  readNotification: { input: notificationOf, audits: null },
  readTwoFactor: { input: () => ({}), isElsewhere: true },
  renewRecoveryCodes: {
    async input(world) {
      await withPassword(world);
      await updateUser(world.server.ctx.store.db, world.owner.userId, { totpSecret: "sealed" }, 0);
      return { password: PASSWORD };
    },
    audits: "renew recovery codes",
    isElsewhere: true,
  },
  reopenIncident: { input: resolvedIncidentOf, audits: "reopen incidents" },
  resendDelivery: { input: deliveryOf, audits: "resend notifications" },
  resendInvitation: { input: invitationOf, audits: "resend invitation" },
  resetForgottenPassword: {
    async input(world) {
      const email = await emailOf(world);
      return { ...(await mailed(world, { purpose: "reset password", email })), password: PASSWORD };
    },
    audits: "reset password by mail",
  },
  resetPassword: {
    input: async (world) => ({ email: await emailOf(world), password: "another long sentence" }),
    audits: "reset password",
  },
  resetTwoFactor: {
    input: async (world) => ({ email: await emailOf(world) }),
    audits: "reset two-factor",
  },
  sendTestMail: { input: () => ({}), audits: "send test mail", isElsewhere: true },
  setPlan: { input: (world) => ({ organization: organizationOf(world), plan: "pro" }) },
  setUp: { input: newAccount, ends: "conflict" },
  signIn: {
    async input(world) {
      await withPassword(world);
      return { email: await emailOf(world), password: PASSWORD };
    },
    audits: "sign in",
  },
  skipMaintenance: {
    input: (world) => windowOf(world, { recurrence: "FREQ=DAILY" }),
    audits: "skip maintenance",
  },
  signOut: { input: () => ({}) },
  signUp: { input: newAccount, audits: "create account", isAuditedElsewhere: true },
  startTotp: {
    async input(world) {
      await withPassword(world);
      return { password: PASSWORD };
    },
    audits: "start two-factor",
    isElsewhere: true,
  },
  switchOrganization: { input: (world) => ({ organization: organizationOf(world) }), audits: null },
  getNotificationSettings: { input: () => ({}), isElsewhere: true },
  updateNotificationSettings: {
    input: () => ({ emailDowntime: false }),
    audits: null,
    isElsewhere: true,
  },
  requestOwnConfirmation: { input: () => ({}), ends: "conflict", audits: null, isElsewhere: true },
  testOwnNotifications: { input: () => ({ type: "email" }), audits: null, isElsewhere: true },
  testChannel: { input: channelOf, audits: "test channels" },
  receiveHeartbeat: {
    input: async (world) => ({ ...(await serviceOf(world)), token: "wrong" }),
    ends: "not_found",
  },
  transferOrganization: {
    async input(world) {
      await withPassword(world);
      return { ...memberOf(world), password: PASSWORD };
    },
    audits: "transfer organization",
  },
  updateChannel: {
    input: async (world) => ({ ...(await channelOf(world)), enabled: false }),
    audits: "update channels",
  },
  updateDomain: {
    input: async (world) => ({ ...(await domainOf(world)), enabled: false }),
    audits: "update domains",
  },
  updateMaintenance: {
    input: async (world) => ({ ...(await windowOf(world)), title: "Later" }),
    audits: "update maintenance",
  },
  updateIncident: {
    input: async (world) => ({ ...(await incidentOf(world)), title: "Slow", status: "resolved" }),
    audits: "update incidents",
  },
  updateStatusPage: {
    input: async (world) => ({ id: (await pageOf(world)).id, name: "State" }),
    audits: "update status-pages",
  },
  updateService: {
    input: async (world) => ({ ...(await serviceOf(world)), name: "Renamed" }),
    audits: "update services",
  },
  updateProfile: { input: () => ({ name: "Ada" }), audits: "update profile", isElsewhere: true },
  writePostmortem: {
    input: async (world) => ({ ...(await incidentOf(world)), content: "# Why" }),
    audits: "write postmortem",
  },
};
