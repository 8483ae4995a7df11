import { Building2, KeyRound, type LucideIcon, ScrollText, UserRound } from "lucide-react";
import type { Session } from "../../api/session.ts";
import type english from "./en.json";

type Role = Session["organization"]["role"];

interface SettingsEntry {
  path: `/settings/${string}`;
  /** Its name, in this folder's texts. */
  label: keyof typeof english.entries;
  icon: LucideIcon;
  /** Who may see the page; without it, everybody. */
  roles?: readonly Role[];
}

/** The pages of the settings, in their order; the addresses are in routes.tsx. */
const entries = [
  { path: "/settings/profile", label: "profile", icon: UserRound },
  { path: "/settings/organization", label: "organization", icon: Building2 },
  { path: "/settings/api-keys", label: "apiKeys", icon: KeyRound },
  { path: "/settings/audit-log", label: "auditLog", icon: ScrollText, roles: ["owner", "admin"] },
] as const satisfies readonly SettingsEntry[];

/** What somebody in this role finds in the settings. */
export const settingsEntriesOf = (role: Role) =>
  entries.filter(({ roles }: SettingsEntry) => roles === undefined || roles.includes(role));
