import { CHECK_PHASES } from "../../../server/src/wire/check-phases.ts?schemas";
import type { Phase } from "../api/monitor.ts";

const byProtocol = CHECK_PHASES as Readonly<Record<string, readonly Phase[]>>;
const none: readonly Phase[] = [];

/** What a check measures, in the order in which it happens; nothing for a protocol that this app does not know. */
export const phasesOf = (protocol: string): readonly Phase[] => byProtocol[protocol] ?? none;
