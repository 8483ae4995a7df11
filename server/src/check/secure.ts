import type { Duplex } from "node:stream";
import { type Connection, startTls } from "./dial.ts";
import { DialogueError } from "./dialogue-error.ts";
import type { Reason } from "./reasons.ts";

/** TLS over what has been connected in the clear. Throws DialogueError when it fails or the certificate is bad. */
export const secure = (connection: Connection, socket: Duplex): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const failed = (reason: Reason) => reject(new DialogueError(reason));
    startTls(connection, socket, [], { connected: resolve, failed });
  });
