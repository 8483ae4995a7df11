/** Tells the client where it stands before the first event, so that it can resume from there. */
export const positionText = (cursor: string): string => `id: ${cursor}\n\n`;

/** Tells the client that it missed something for good. */
export const resetText = (cursor: string): string => `id: ${cursor}\nevent: reset\ndata: {}\n\n`;

/** Keeps a quiet connection open; says where the client stands, if it has everything up to there. */
export const heartbeatText = (cursor: string | null): string =>
  cursor === null ? ": still here\n\n" : `: still here\nid: ${cursor}\n\n`;
