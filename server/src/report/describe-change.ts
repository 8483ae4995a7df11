import type { ChangeActivity } from "../store/queries/activity.ts";

const PAST: Record<string, string> = {
  ...{ create: "created", update: "changed", delete: "deleted" },
  ...{ pause: "paused", resume: "resumed", tag: "tagged" },
};

/** What a resource's name stands for in a sentence. */
const THINGS: Record<string, string> = {
  domains: "domain",
  "api-keys": "API key",
  organization: "organization",
};

/** What people do to their own account, to each other and to invitations; the name follows where there is one. */
const DEEDS: Record<string, string> = {
  "create account": "created an account",
  "sign in": "signed in",
  "update profile": "changed their profile",
  "change password": "changed their password",
  "start two-factor": "asked for a two-factor secret",
  "enable two-factor": "turned two-factor sign-in on",
  "disable two-factor": "turned two-factor sign-in off",
  "end session": "ended a session",
  "end other sessions": "ended their other sessions",
  "add member": "added",
  "change role": "changed the role of",
  "remove member": "removed",
  "leave organization": "left the organization",
  "invite member": "invited",
  "cancel invitation": "withdrew the invitation of",
  "accept invitation": "joined the organization",
  "decline invitation": "declined the invitation",
};

/** What somebody changed, as a sentence: `Ada deleted the domain Shop.` */
export function describeChange({ action, userName, subject, resourceId }: ChangeActivity): string {
  const who = userName ?? "Somebody";
  const deed = DEEDS[action];
  if (deed) return `${[who, deed, subject].filter(Boolean).join(" ")}.`;
  const [verb = "", ...object] = action.split(" ");
  const resource = object.join(" ");
  const thing = THINGS[resource] ?? resource;
  // Of what was changed before names were kept, the number is known.
  const which = subject ?? resourceId;
  return `${[who, PAST[verb] ?? verb, "the", thing, which].filter(Boolean).join(" ")}.`;
}
