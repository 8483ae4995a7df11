import type { CheckEnvironment, CheckOutcome } from "./check.ts";
import { type Dialogue, startDialogue } from "./dialogue.ts";
import { checkOver, type Peer } from "./one-connection.ts";

/** What belongs to a protocol: saying, hearing, and being content with it. */
export type Talk = (dialogue: Dialogue) => Promise<void>;

/**
 * A check that is a dialogue: it passes when `talk` does; a DialogueError is its reason for failing, in which none of
 * `secrets` is quoted.
 */
export const converse = (
  peer: Peer,
  environment: CheckEnvironment,
  talk: Talk,
  secrets: readonly string[] = [],
): Promise<CheckOutcome> =>
  checkOver(peer, environment, (connection, socket) => {
    const dialogue = startDialogue(connection, socket, secrets);
    return { over: talk(dialogue), late: dialogue.late, end: dialogue.end };
  });
