import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { nameProblem } from "../account/name.ts";
import { findAnywhere } from "../account/resolve-organization.ts";
import { hashToken, randomToken } from "../account/token.ts";
import { invalidInput, notFound } from "../errors.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import {
  deleteEnrollmentToken,
  findEnrollmentToken,
  insertEnrollmentToken,
  listEnrollmentTokens as readTokens,
} from "../store/queries/enrollment-tokens.ts";
import { findOwner } from "../store/queries/ref.ts";
import { fact } from "../texts/fact.ts";
import { type Before, verb } from "../verb/verb.ts";
import {
  CreatedEnrollmentToken,
  EnrollmentToken,
  NewEnrollmentToken,
  projectEnrollmentToken,
} from "../wire/api-keys.ts";
import { IdParams, parseId } from "../wire/field.ts";
import { NewestFirstQuery, pageOf } from "../wire/page.ts";

const { resource, feature } = MONITOR_KIND_FACTS.device;
const PREFIX = "vde_";
const PREFIX_LENGTH = PREFIX.length + 8;

/** The organization's enrollment tokens, newest first. */
export const listEnrollmentTokens = verb({
  resource,
  feature,
  // Who may add devices may see with what they enrol.
  action: "read",
  role: "member",
  input: Type.Object(NewestFirstQuery),
  output: Type.Array(EnrollmentToken),
  paged: true,
  async run({ db, caller }, input) {
    return pageOf((await readTokens(db, caller.organizationId)).map(projectEnrollmentToken), input);
  },
});

/** Makes a token with which machines become devices of the organization; it is shown this once. */
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
      throw invalidInput({ expiresAt: [fact("input.future", { field: "expiresAt" })] });
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

/** Nobody enrolls with it any more; devices that have keep their own tokens. Throws 404. */
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
