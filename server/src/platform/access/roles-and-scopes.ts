/** The API's resource names. */
export const RESOURCES = [
  "domains",
  "devices",
  "services",
  "incidents",
  "maintenance",
  "status-pages",
  "notifications",
  "integrations",
  "toolbox",
  "reports",
  "chat",
  "dashboard",
  "api-keys",
  "organization",
  "metrics",
] as const;
export const ACTIONS = ["read", "write"] as const;
/** The highest first. */
export const ROLES = ["owner", "admin", "member", "viewer"] as const;

export type Resource = (typeof RESOURCES)[number];
export type Action = (typeof ACTIONS)[number];
export type Role = (typeof ROLES)[number];

/** Keys of a person never reach further than their role. */
const ROLE_SCOPES: Record<Role, readonly string[]> = {
  owner: ["*:*"],
  admin: ["*:*"],
  member: ["read:*", ...RESOURCES.filter((name) => name !== "organization").map((name) => `write:${name}`)],
  viewer: ["read:*"],
};

export const scopesOfRole = (role: Role): readonly string[] => ROLE_SCOPES[role];

/** Whether `text` is `<action>:<resource>` with `*` for either half. */
export function isScope(text: string): boolean {
  const [action, resource, ...rest] = text.split(":");
  if (rest.length > 0) return false;
  return (
    (action === "*" || ACTIONS.includes(action as Action)) &&
    (resource === "*" || RESOURCES.includes(resource as Resource))
  );
}

/** Whether any of `scopes` permits the action; `write` implies `read`, `*` means either half. */
export function scopesAllow(scopes: readonly string[], action: Action, resource: Resource): boolean {
  return scopes.some((scope) => {
    const [has, on] = scope.split(":");
    const actionFits = has === "*" || has === action || (has === "write" && action === "read");
    return actionFits && (on === "*" || on === resource);
  });
}

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

export const roleAllows = (role: Role, action: Action, resource: Resource): boolean =>
  scopesAllow(ROLE_SCOPES[role], action, resource);

/** Whether `own` includes all of `wanted`; so a key never mints a stronger one. */
export function scopesCover(own: readonly string[], wanted: string): boolean {
  const [action, resource] = wanted.split(":");
  const actions = action === "*" ? ACTIONS : [action as Action];
  // A wildcard also means resources of later versions, which a list of today's does not.
  const from = resource === "*" ? own.filter((scope) => scope.endsWith(":*")) : own;
  const resources = resource === "*" ? RESOURCES : [resource as Resource];
  return actions.every((one) => resources.every((on) => scopesAllow(from, one, on)));
}

/** Sees everybody's keys, changes people and settings. */
export const managesOrganization = (role: Role): boolean => roleAllows(role, "write", "organization");
