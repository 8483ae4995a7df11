import type { Caller } from "../../src/account/caller.ts";
import { insertMember } from "../../src/store/queries/members.ts";
import { insertSession } from "../../src/store/queries/sessions.ts";
import { insertUser } from "../../src/store/queries/users.ts";
import type { VERBS } from "../../src/verbs.ts";
import type { TestServer } from "../harness/server.ts";

/** Where a verb is tried: an organization of its own, its owner, and another person in it. */
export interface World {
  server: TestServer;
  owner: Caller;
  memberId: number;
}

/** How a verb is called with good sense; what it names belongs to the world's organization. */
export interface Case {
  input(world: World): Promise<object> | object;
  /** The audit row that it leaves behind; null for one that leaves none. Reads have none. */
  audits?: string | null;
  /** Names nothing of an organization: somebody of another one does it there. */
  isElsewhere?: true;
}

let counter = 0;

/** A person without an organization. */
async function makePerson({ ctx }: TestServer): Promise<number> {
  counter += 1;
  const email = `somebody${counter}@vedette.test`;
  const person = { uuid: crypto.randomUUID(), email, name: `Somebody ${counter}`, passwordHash: "none" };
  return (await insertUser(ctx.store.db, person, ctx.clock.now())) as number;
}

/** Somebody signed in, in that organization. */
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

const organizationOf = ({ owner }: World): string => String(owner.organizationId);
const memberOf = (world: World) => ({ organization: organizationOf(world), member: String(world.memberId) });

/** Every verb has one: the type says so, and the test. */
export const CASES: Record<keyof typeof VERBS, Case> = {
  addMember: {
    input: (world) => ({
      organization: organizationOf(world),
      email: `new${(counter += 1)}@vedette.test`,
      role: "member",
      password: "correct horse battery",
    }),
    audits: "add member",
  },
  changeRole: { input: (world) => ({ ...memberOf(world), role: "viewer" }), audits: "change role" },
  foundOrganization: { input: () => ({ name: "Second" }), audits: "create organization", isElsewhere: true },
  getOrganization: { input: (world) => ({ organization: organizationOf(world) }) },
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
  listMembers: { input: (world) => ({ organization: organizationOf(world) }) },
  listOrganizations: { input: () => ({}), isElsewhere: true },
  removeMember: { input: memberOf, audits: "remove member" },
  renameOrganization: {
    input: (world) => ({ organization: organizationOf(world), name: "Renamed" }),
    audits: "update organization",
  },
};
