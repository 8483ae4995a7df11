import {
  Bell,
  BellRing,
  Blocks,
  Bot,
  Building2,
  KeyRound,
  type LucideIcon,
  ScrollText,
  UserRound,
} from "lucide-react";
import { manages, type Role } from "../api/roles.ts";
import type english from "./en.json";

interface SettingsEntry {
  path: `/settings/${string}`;
  /** Its name, in this folder's texts. */
  label: keyof typeof english.entries;
  icon: LucideIcon;
  /** Whether a role may see the page, as the page itself checks; without it, everybody may. */
  isFor?: (role: Role) => boolean;
}

/** The pages of the settings, in their order; the addresses are in routes.tsx. */
const entries = [
  { path: "/settings/profile", label: "profile", icon: UserRound },
  { path: "/settings/notifications", label: "notifications", icon: Bell },
  { path: "/settings/organization", label: "organization", icon: Building2 },
  { path: "/settings/channels", label: "channels", icon: BellRing },
  { path: "/settings/integrations", label: "integrations", icon: Blocks },
  { path: "/settings/api-keys", label: "apiKeys", icon: KeyRound },
  { path: "/settings/assistants", label: "assistants", icon: Bot },
  { path: "/settings/audit-log", label: "auditLog", icon: ScrollText, isFor: manages },
] as const satisfies readonly SettingsEntry[];

export const settingsEntriesOf = (role: Role) =>
  entries.filter(({ isFor }: SettingsEntry) => isFor === undefined || isFor(role));

export const settingsEntryAt = (path: string) => entries.find((entry) => entry.path === path);
