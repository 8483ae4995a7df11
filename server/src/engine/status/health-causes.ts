import { createHash } from "node:crypto";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";

const levelOf = ({ params }: MessageDescriptor) => params?.["level"];

const keyOf = (causes: readonly MessageDescriptor[]): string => {
  const names = causes.map((cause) => JSON.stringify([cause.code, levelOf(cause), cause.params?.["path"]]));
  return createHash("sha256").update(names.sort().join("\n")).digest("base64url").slice(0, 16);
};

/**
 * What is wrong, as keys to compare: the same measures, of the same disks, and the same levels. How many percent they are changes with
 * every report, and with it their order. `worst`: only those of the same level as the first.
 */
export const keysOfCauses = (causes: readonly MessageDescriptor[]): { every: string; worst: string } => ({
  every: keyOf(causes),
  worst: keyOf(causes.filter((cause) => causes[0] && levelOf(cause) === levelOf(causes[0]))),
});

/** The keys of a reason. One that names only some of its causes brings those of all (monitors/devices/rules.ts). */
export function keysOfReason(reason: MessageDescriptor | null): { every: string; worst: string } {
  if (reason === null) return keysOfCauses([]);
  const { also = [] } = reason;
  for (const { params } of also) {
    const { every, worst } = params ?? {};
    if (typeof every === "string" && typeof worst === "string") return { every, worst };
  }
  return keysOfCauses([reason, ...also]);
}
