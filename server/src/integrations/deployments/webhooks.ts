import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { findMonitors } from "../../monitors/queries/monitors.ts";
import { assertStays, findAnywhere, mayRead } from "../../platform/access/check-access.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { randomToken } from "../../platform/access/random-tokens.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { checkName, cleanTags } from "../../platform/formats/name.ts";
import { msg } from "../../platform/i18n/message.ts";
import { Deleted, IdParams, parseId, withId } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../../platform/operations/paging.ts";
import { READS, WRITES } from "../account-verbs.ts";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  type DeploymentWebhook as Stored,
  saveWebhook,
} from "../queries/deployment-webhooks.ts";
import {
  CreatedDeploymentWebhook,
  DeploymentWebhook,
  DeploymentWebhookUpdate,
  NewDeploymentWebhook,
  projectWebhook,
} from "../schemas/deployments.ts";
import { announceAfter, announceDeployment } from "../sync-rules.ts";
import { GIT_PROVIDERS } from "./git-provider.ts";
import type { GitProviderName } from "./git-provider-names.ts";
import { namedMonitors } from "./touched.ts";

const MAX_WEBHOOKS = 50;

const find = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const inOne = (organizationId: number) => findWebhook(db, organizationId, ref);
  return findAnywhere(ctx, inOne, () => findOwner(db, "deployment_webhooks", ref));
};

async function show(ctx: Running, one: Stored) {
  const { db, config } = ctx;
  const refs = one.monitors.map((id) => ({ id }));
  const { organizationId } = one;
  const found = refs.length > 0 ? await findMonitors(db, { organizationId, refs }) : [];
  const monitors = found.filter(mayRead(ctx)).map(({ id, uuid, kind, name }) => ({ id, uuid, kind, name }));
  return projectWebhook(one, { monitors, address: config.publicUrl });
}

/** Throws 422 for a secret with which no signature could be valid. */
function refuseSecret(provider: string, secret: string): void {
  const problem = GIT_PROVIDERS[provider as GitProviderName]?.secretProblem?.(secret);
  if (problem) throw invalidInput({ secret: [problem] });
}

async function reread(
  ctx: Running,
  { organizationId, id }: Pick<Stored, "organizationId" | "id">,
): Promise<Stored> {
  const one = await findWebhook(ctx.db, organizationId, { id }, { lock: true });
  if (!one) throw notFound();
  return one;
}

/** Oldest first, without secrets. */
export const listDeploymentWebhooks = verb({
  ...READS,
  input: Type.Object(PageQuery),
  output: Type.Array(DeploymentWebhook),
  paged: true,
  async run(ctx, input) {
    const { items, page } = pageOf(await listWebhooks(ctx.db, ctx.caller.organizationId), input);
    return { items: await Promise.all(items.map((one) => show(ctx, one))), page };
  },
});

/** Throws 404. */
export const getDeploymentWebhook = verb({
  ...READS,
  input: IdParams,
  output: DeploymentWebhook,
  find,
  run: (ctx, _, found) => show(ctx, found),
});

/** The secret is shown this once. Throws 403 at the limit, 422. */
export const createDeploymentWebhook = verb({
  ...WRITES,
  audit: "create deployment webhook",
  input: NewDeploymentWebhook,
  output: CreatedDeploymentWebhook,
  async run(ctx, input) {
    const { db, secrets, clock } = ctx;
    const { organizationId } = ctx.caller;
    assertStays(await lockOrganization(db, organizationId));
    if ((await listWebhooks(db, organizationId)).length >= MAX_WEBHOOKS) {
      throw new PublicError("quota_reached", msg("deployment.many_webhooks", { limit: MAX_WEBHOOKS }));
    }
    const secret = input.secret ?? randomToken();
    refuseSecret(input.provider, secret);
    const settings = {
      name: checkName(input.name),
      secret: secrets.seal(secret),
      monitors: await namedMonitors(ctx, input.monitors ?? []),
      tags: cleanTags(input.tags ?? []),
      environments: input.environments ?? [],
    };
    const made = { ...settings, uuid: randomUUIDv7(), organizationId, provider: input.provider };
    const id = await insertWebhook(db, made, clock.now());
    announceDeployment(db, null, announceAfter(ctx));
    return { ...(await show(ctx, await reread(ctx, { organizationId, id }))), secret };
  },
});

/** Absent fields stay; a new secret is shown this once. Throws 404 and 422. */
export const updateDeploymentWebhook = verb({
  ...WRITES,
  audit: "update deployment webhook",
  input: withId(DeploymentWebhookUpdate),
  output: CreatedDeploymentWebhook,
  find,
  async run(ctx, input, found) {
    const before = await reread(ctx, found);
    const secret = input.secret ?? (input.renewSecret ? randomToken() : null);
    if (secret !== null) refuseSecret(before.provider, secret);
    const settings = {
      name: input.name === undefined ? before.name : checkName(input.name),
      secret: secret === null ? before.secret : ctx.secrets.seal(secret),
      monitors: input.monitors ? await namedMonitors(ctx, input.monitors) : before.monitors,
      tags: input.tags ? cleanTags(input.tags) : before.tags,
      environments: input.environments ?? before.environments,
    };
    await saveWebhook(ctx.db, before.id, settings, ctx.clock.now());
    announceDeployment(ctx.db, null, announceAfter(ctx));
    return { ...(await show(ctx, await reread(ctx, before))), secret };
  },
});

/** Throws 404. */
export const deleteDeploymentWebhook = verb({
  ...WRITES,
  audit: "delete deployment webhook",
  input: IdParams,
  output: Deleted,
  find,
  async run(ctx, _, { id, name }) {
    if (!(await deleteWebhook(ctx.db, id))) throw notFound();
    ctx.record({ id, name });
    announceDeployment(ctx.db, null, announceAfter(ctx));
    return { id };
  },
});
