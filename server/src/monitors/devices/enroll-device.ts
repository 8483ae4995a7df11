import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { AGENT_TARGET } from "../../checks/agent.ts";
import type { AnonymousClient, Caller } from "../../platform/access/caller.ts";
import { assertAccess, findAnywhere } from "../../platform/access/check-access.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { hashToken, randomToken } from "../../platform/access/random-tokens.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { invalidInput, notFound, unauthenticated } from "../../platform/errors.ts";
import { nameProblem } from "../../platform/formats/name.ts";
import { msg } from "../../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { IdParams, parseId } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { NewestFirstQuery, pageOf } from "../../platform/operations/paging.ts";
import { lockDevices, saveDevices } from "../queries/devices.ts";
import {
  deleteEnrollmentToken,
  type Enroller,
  findEnroller,
  findEnrollmentToken,
  findUnusedDevice,
  insertEnrollmentToken,
  noteEnrollment,
  listEnrollmentTokens as readTokens,
} from "../queries/enrollment.ts";
import { findMonitor, isMonitorNameTaken } from "../queries/monitors.ts";
import { AgentEnrolled, AgentEnrollment } from "../schemas/agent-report.ts";
import {
  CreatedEnrollmentToken,
  EnrollmentToken,
  NewEnrollmentToken,
  projectEnrollmentToken,
} from "../schemas/devices.ts";
import { addDevice, replaceToken } from "./devices.ts";

const { resource, feature } = MONITOR_KIND_TRAITS.device;

/**
 * In the name and with the rights of the enrollment token's user. A repeated request, whose answer was lost,
 * gets the same device. Throws 401, or 403 at the plan's limit.
 */
export const enrollDevice = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: "enroll device",
  input: AgentEnrollment,
  output: AgentEnrolled,
  prepare: async ({ visitor: { enroller } }) => {
    if (!enroller) throw unauthenticated();
    return enroller;
  },
  async run(ctx, { hostname, instance }, holder) {
    const caller = callerOf(holder, ctx.visitor);
    const needs = { by: "caller", action: "write", resource, features: [feature] } as const;
    assertAccess(caller, needs);
    const own: Running = { ...ctx, caller };
    const { db, clock } = ctx;
    const { organizationId } = caller;
    await lockOrganization(db, organizationId);
    const known = await findUnusedDevice(db, { organizationId, installation: instance });
    if (!(await noteEnrollment(db, holder.id, { now: clock.now(), isNew: known === undefined })))
      throw unauthenticated();
    const made =
      known === undefined ? await addEnrolled(own, { hostname, instance }) : await again(own, known);
    ctx.record({ ...made, organizationId, userId: caller.userId });
    return { deviceId: made.uuid, token: made.token };
  },
});

interface Enrolled {
  id: number;
  uuid: string;
  name: string;
  token: string;
}

async function addEnrolled(
  ctx: Running,
  { hostname, instance }: { hostname: string; instance: string },
): Promise<Enrolled> {
  const { organizationId } = ctx.caller;
  const name = await freeName(ctx.db, organizationId, hostname.trim());
  const { token, monitor } = await addDevice(ctx, { name });
  const devices = await lockDevices(ctx.db, [monitor.id]);
  await saveDevices(
    ctx.db,
    devices.map((device) => ({ ...device, enrolledBy: instance })),
  );
  return { ...monitor, token };
}

async function again(ctx: Running, id: number): Promise<Enrolled> {
  const { organizationId } = ctx.caller;
  const monitor = await findMonitor(ctx.db, { organizationId, kind: "device", ref: { id } });
  if (!monitor) throw unauthenticated();
  return { ...monitor, token: await replaceToken(ctx, id) };
}

/** The host name, numbered where another device has it. */
async function freeName(db: Db, organizationId: number, hostname: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? hostname : `${hostname} (${number})`;
    const wanted = { organizationId, kind: "device", target: AGENT_TARGET, name, exceptId: null } as const;
    if (!(await isMonitorNameTaken(db, wanted))) return name;
  }
}

/** Throws 401 for an unknown or expired token. */
export async function findTokenMaker(
  { store, clock }: Pick<Context, "store" | "clock">,
  token: string,
): Promise<Enroller> {
  const holder = token.startsWith("vde_") ? await findEnroller(store.db, hashToken(token)) : undefined;
  if (!holder || (holder.expiresAt !== null && holder.expiresAt <= clock.now())) throw unauthenticated();
  return holder;
}

const callerOf = (
  { userId, organizationId, role, plan, reports }: Enroller,
  { requestId, address }: AnonymousClient,
): Caller => ({
  kind: "key",
  ...{ userId, organizationId, role, plan, reports: reports === 1, requestId, address },
  ...{ apiKeyId: null, keyExpiresAt: null, sessionId: null, allOrganizations: false },
  scopes: [`write:${resource}`],
});

const PREFIX = "vde_";
const PREFIX_LENGTH = PREFIX.length + 8;

/** Newest first. */
export const listEnrollmentTokens = verb({
  resource,
  feature,
  // Visible to all who may add devices.
  action: "read",
  role: "member",
  input: Type.Object(NewestFirstQuery),
  output: Type.Array(EnrollmentToken),
  paged: true,
  async run({ db, caller }, input) {
    return pageOf((await readTokens(db, caller.organizationId)).map(projectEnrollmentToken), input);
  },
});

/** The token is shown this once. */
export const createEnrollmentToken = verb({
  resource,
  feature,
  action: "write",
  audit: "create enrollment token",
  input: NewEnrollmentToken,
  output: CreatedEnrollmentToken,
  async run({ db, caller, clock }, input) {
    const now = clock.now();
    const name = input.name.trim();
    const problem = nameProblem(name);
    if (problem) throw invalidInput({ name: [problem] });
    const expiresAt = input.expiresAt == null ? null : Date.parse(input.expiresAt);
    if (expiresAt !== null && expiresAt <= now)
      throw invalidInput({ expiresAt: [msg("input.future", { field: "expiresAt" })] });
    const token = `${PREFIX}${randomToken()}`;
    const { organizationId, userId } = caller;
    const id = await insertEnrollmentToken(db, {
      ...{ uuid: randomUUIDv7(), organizationId, userId, name, createdAt: now, expiresAt },
      prefix: token.slice(0, PREFIX_LENGTH),
      tokenHash: hashToken(token),
    });
    const made = await findEnrollmentToken(db, organizationId, { id });
    if (!made) throw notFound();
    return { ...projectEnrollmentToken(made), token };
  },
});

/** Enrolled devices keep their own tokens. Throws 404. */
export const revokeEnrollmentToken = verb({
  resource,
  feature,
  action: "write",
  audit: "revoke enrollment token",
  input: IdParams,
  output: EnrollmentToken,
  find(ctx: Before, { id }: { id: string }) {
    const { db } = ctx.store;
    const ref = parseId(id);
    const find = async (organizationId: number) =>
      (await findEnrollmentToken(db, organizationId, ref)) ?? null;
    return findAnywhere(ctx, find, () => findOwner(db, "enrollment_tokens", ref));
  },
  async run({ db }, _, found) {
    if (!(await deleteEnrollmentToken(db, found.id))) throw notFound();
    return projectEnrollmentToken(found);
  },
});
